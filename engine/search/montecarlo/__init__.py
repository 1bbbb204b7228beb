"""The evaluator ``montecarlo``: every discard played out over the same random walls."""
