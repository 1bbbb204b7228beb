"""How a policy is asked: under a deadline in live play, or with nobody waiting; its answer is checked either way."""
