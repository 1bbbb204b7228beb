"""The FLOW paper (kackytw, Qiita 2016): a player that pushes or folds by a table, and the evaluators it compares."""
