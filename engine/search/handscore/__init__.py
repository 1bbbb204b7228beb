"""The evaluator ``handscore``: fixed scores for groups, partial groups, pairs and dora."""
