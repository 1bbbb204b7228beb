(() => {
  const { words, columns } = JSON.parse(document.getElementById("data").textContent);
  const stage = document.getElementById("stage"), facts = document.getElementById("facts");
  const { fill, told } = drawing({ words });
  let question = null, answered = false;

  const { say } = door.line(`${location.pathname}live${location.search}`, {
    hear: (said) => {
      if (said.question) ask(said.question);
      else if (said.result) explain(said.result);
      else if (said.done) finish(said.done);
      else if (said.failed) refuse(said.failed);
      else if (said.unread) document.getElementById("unread").replaceChildren(...told(words.unread, said.unread, words.original));
    },
    change: (open) => { if (!open) facts.textContent = words.ended; },
    until: () => false,
  });

  const sameAction = (one, other) => one.kind === other.kind && one.tile === other.tile && one.own === other.own;

  /** The position as the screen of a report shows it: `hand` and what stands beside the table. */
  function show(draw, row, hand, detail) {
    const { h, fill: put, pairs, tile, board, waits } = draw, table = row.table;
    const place = h("div", { class: "said" }, h("p", { class: "place" }, h("b", {}, question.hand.name), h("span", {}, put(words.turn, { turn: question.turn })),
      h("span", {}, words.dora + " ", ...pairs(table.dora).map((name) => tile(name))),
      table.sticks ? h("span", {}, put(words.sticks, { n: table.sticks })) : null,
      question.again ? h("span", { class: "badge" }, words.again_asked) : null));
    stage.replaceChildren(place, h("div", { class: "felt" }, board(row, question.hand, false)), h("div", { id: "mine" }, hand, ...[waits(table)].filter(Boolean)),
      h("div", { class: "detail" }, ...detail));
    stage.scrollTop = 0;
  }

  /** The sets that can be practised, and how many answers in a row were right. */
  function sets(found) {
    const { h } = drawing({ words }), about = document.getElementById("about");
    about.replaceChildren(...Object.entries(found.sets).map(([name, count]) => h("option", { value: name, selected: name === found.about }, `${name ? words["cat_" + name] : words.all_sets} (${count})`)));
    about.hidden = false;
    streak(found.streak);
  }
  const streak = (count) => { document.getElementById("streak").textContent = count > 1 ? fill(words.streak, { n: count }) : ""; };
  document.getElementById("about").addEventListener("change", (event) => say({ do: "choose", about: event.target.value }));

  function ask(found) {
    question = found;
    sets(found);
    answered = false;
    facts.textContent = fill(words.place, { n: found.number, of: found.of });
    const draw = drawing({ words, names: found.names, decimals: 0, unit: "" });
    const { h, action, held, pairs } = draw;
    const row = { table: found.table, own_turn: found.own_turn, candidates: [], chosen: null, played: null };
    const choose = (choice) => () => { if (!answered) { answered = true; say({ do: "answer", key: found.key, choice }); } };
    const hand = held({ ...row, chosen: { kind: "pass" }, played: { kind: "pass" }, own_turn: false });
    hand.classList.add("asking");
    const names = [...pairs(found.table.hand), ...(found.table.drawn ? [found.table.drawn] : [])];
    const others = [];
    found.choices.forEach((one, choice) => {
      const at = one.kind === "discard" ? names.lastIndexOf(one.tile) : -1;
      if (at < 0) { others.push(h("button", { type: "button", "data-choice": choice }, ...action(one))); others[others.length - 1].addEventListener("click", choose(choice)); return; }
      names.forEach((name, index) => {
        if (name !== one.tile) return;
        const slot = hand.children[index];
        const button = h("button", { type: "button", "data-choice": choice, "aria-label": fill(words.act_discard, { tile: name }) }, slot.querySelector(".tile"));
        button.addEventListener("click", choose(choice));
        slot.prepend(button);
      });
    });
    show(draw, row, hand, [h("p", { class: "ask" }, found.own_turn ? words.ask_turn : words.ask_call), h("div", { class: "answers" }, ...others)]);
  }

  function explain(found) {
    streak(found.streak);
    const draw = drawing({ words, columns, names: question.names, decimals: found.decimals, unit: found.unit });
    const { h, amount, rich, held, judged } = draw;
    const given = found.row.grade, wrong = ["inaccuracy", "mistake", "blunder"].includes(given);
    const next = h("button", { type: "button", id: "next" }, words.next);
    next.addEventListener("click", () => say({ do: "next" }));
    const game = found.played_so ? words.game_same : fill(words.game_played, { played: found.game, grade: words["grade_" + found.game_grade], loss: amount(found.game_loss) });
    const [grade, sentence, ...rest] = judged(found.row);
    grade.id = "verdict";
    grade.append(h("span", { class: "hint" }, wrong ? words.comes_soon : words.comes_later));
    show(draw, found.row, held(found.row), [h("h2", { class: "hidden" }, words["grade_" + given]), grade, sentence, h("p", { class: "hint" }, ...rich(game), " ",
      found.page ? h("a", { href: "games/" + found.page, target: "_blank", rel: "noopener" }, words.open) : null), h("p", { class: "next" }, next), ...rest]);
    next.focus();
  }

  /** The answer was not kept: say why, and let it be given again. */
  function refuse(why) {
    answered = false;
    document.getElementById("refused")?.remove();
    const { h } = drawing({ words });
    const note = h("div", { id: "refused", class: "notice", role: "alert" }, ...told(words.not_kept, why, words.original));
    stage.querySelector(".detail")?.prepend(note);
  }

  function finish(found) {
    sets(found);
    const { h } = drawing({ words, names: [], decimals: 0, unit: "" });
    const more = h("button", { type: "button", id: "again" }, words.more);
    more.addEventListener("click", () => say({ do: "again" }));
    const left = found.due + found.new > 0 || found.next_due;
    facts.textContent = "";
    stage.replaceChildren(h("div", { class: "done" }, h("h1", {}, words.done), h("p", {}, h("strong", {}, `${found.right} / ${found.round}`), " ", words.right),
      h("p", { class: "hint" }, fill(words.left, { due: found.due, fresh: found.new, all: found.questions })),
      found.next_due && !found.due && !found.new ? h("p", { class: "hint" }, fill(words.next_due, { when: new Date(found.next_due).toLocaleString() })) : null,
      left ? h("p", { class: "next" }, more) : null));
  }
})();
