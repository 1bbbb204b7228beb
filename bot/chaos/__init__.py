"""Trials: four clients play in one lobby with injected faults; every game must end, and every action be legal."""
