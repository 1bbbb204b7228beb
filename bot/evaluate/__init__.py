"""``oshihiki evaluate``: positions as people write them, and tables and JSON of their evaluation."""
