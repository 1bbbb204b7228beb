"""The wait networks of Matsuda and Ito: what a river says about the waits of the hand behind it.

Where the sections of the paper stand:

* 4.1, a discard as a code of 74, drawn and from the hand apart: ``estimator.river_codes``.
* 4.2, the set of a river's codes: ``estimator.set_bits``.
* 4.3, its ordered pairs, earlier code * 74 + later code: ``estimator.pair_bits``.
* 5.1, the four conditions (a) to (d): ``samples.CONDITIONS``; the moment before a win: ``samples.WaitSamples``.
* 5.2, as many rivers with the wait as without, for training alone: ``samples.balanced``.
* 5.3, three layers of 100, 100 and 2, Adam, 50 epochs, batches of 16: ``training.new_net``, ``training.train_net``.
* 6, F1 of the conditions and their differences: ``oshihiki train waits --paper``.
"""
