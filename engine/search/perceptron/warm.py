"""What the evaluator ``perceptron`` needs before the first hand."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.search.perceptron import input_kernels
from engine.search.perceptron.perceptron import Perceptron

PERCEPTRON: Final = Preparation("perceptron", {input_kernels.score_discards: 2.0}, Perceptron)
