"""mjai at the door: our players as a program for others' tables, others' programs as players at ours."""
