"""The wait networks of Matsuda and Ito: what a river says about the waits of the hand behind it."""
