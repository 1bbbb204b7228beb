"""What the evaluators of this folder need before the first hand."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.search.forms import che_kernels, inversion_kernels
from engine.search.forms.hand import all_parts
from engine.shanten.tables import hand_tables

INVERSION: Final = Preparation("winning forms", {inversion_kernels.sum_forms: 12.0}, all_parts)
CHE: Final = Preparation("Complete Hand Extraction", {che_kernels.extract_hands: 5.0}, hand_tables)
