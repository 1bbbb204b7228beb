"""The evaluator ``perceptron``: a linear score of hands, learned from discards of strong players."""
