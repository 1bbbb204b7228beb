"""mjai in both directions: our policies as a program at other tables, and other programs as players at ours."""
