"""The CHE paper (Aoki and Anada, IPSJ 2020): Complete Hand Extraction, and the perceptron that it is compared with."""
