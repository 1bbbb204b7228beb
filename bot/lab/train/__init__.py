"""``oshihiki train``: one module for each command; those that only count share one."""
