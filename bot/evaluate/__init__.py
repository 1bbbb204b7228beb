"""``oshihiki evaluate``: positions as a person writes them in, tables and JSON out."""
