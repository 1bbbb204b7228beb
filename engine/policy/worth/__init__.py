"""What an ending, a risk and a fold are worth: the economics of the policy ``value``."""
