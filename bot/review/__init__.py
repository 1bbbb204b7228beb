"""Review: every decision of one seat in a recorded game compared with a policy's, a report of it, and practice.

In the order of the work: :mod:`.recording` reads a game, :mod:`.examine` asks the policy at each decision,
:mod:`.verdicts` compares its answer with what was played, in the unit and with the grades of :mod:`.measure`, and
:mod:`.facts` adds what a player sees: each decision is written as the document has it (:mod:`.document`), and never
again. :mod:`.fields` makes the review of them, with its hands, how the seat dealt in, how it plays (:mod:`.habits`),
and what is said of each decision, in clauses without words (:mod:`.arguments`).
From these values alone everything else is made: a page and a text (:mod:`.report`, :mod:`.charts`), in the words of a
language (:mod:`.wording`), and each decision as all pages show it (:mod:`.shown`); of many games (:mod:`.many`) a
folder with totals (:mod:`.folder`), and results without the luck of the draw (:mod:`.luck`).
Practice: costly decisions of reviewed games come back as questions (:mod:`.questions`) on a page (:mod:`.practice`),
and those that were missed come again (:mod:`.learner`).
"""
