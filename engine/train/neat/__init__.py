"""MM-NEAT: networks that value hands, evolved towards two goals at once."""
