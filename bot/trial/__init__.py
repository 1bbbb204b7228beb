"""Four clients, one lobby, and faults on purpose: does every game end, and does anyone ever say what is not legal?"""
