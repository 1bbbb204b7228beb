(async () => {
  const $ = (id) => document.getElementById(id);

  const whole = "<!doctype html>\n" + document.documentElement.outerHTML;  // before anything is changed
  if (!window.DecompressionStream) { $("old-browser").hidden = false; return; }
  const packed = new Blob([Uint8Array.from(atob($("data").textContent), (char) => char.charCodeAt(0))]);
  const { words, columns, log, seats, bodies: others } =
    await new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).json();
  for (const data of seats) {
    const tables = unpacked(data.tables), candidates = unpacked(data.candidates);
    let at = 0;
    data.decisions = unpacked(data.decisions).map((row, nth) => ({ ...row, table: tables[nth], candidates: candidates.slice(at, at += row.candidates) }));
  }
  const bodies = [$("report").cloneNode(true), ...others.map((text) => Object.assign(document.createElement("template"), { innerHTML: text }).content)];
  /** Every decision of everybody, as they were made. */
  const everyone = seats.flatMap((data, seat) => data.decisions.map((row) => ({ seat, row })))
    .sort((one, other) => one.row.event - other.row.event || one.seat - other.seat);
  let open = 0, leaving = new AbortController();

  /** Rows that are packed as one list per field; "-" stands for a field that is not there. */
  function unpacked(fields) {
    const lists = Object.entries(fields), [, first] = lists[0] ?? ["", []];
    return first.map((_, at) => Object.fromEntries(lists.map(([key, values]) => [key, values[at]]).filter(([, value]) => value !== "-")));
  }

  /** Shows the report of another seat, at a place of it. */
  function sit(seat, place) {
    leaving.abort();
    leaving = new AbortController();
    $("report").replaceChildren(...bodies[seat].cloneNode(true).childNodes);
    for (const button of document.querySelectorAll(".seats button")) button.setAttribute("aria-pressed", String(Number(button.dataset.seat) === seat));
    open = seat;
    if (place) history.replaceState(null, "", "#" + place);
    start(seats[seat], leaving.signal);
  }

  function start(data, signal) {
  const W = words, rows = data.decisions, hands = data.hands;
  const { h, fill, pairs, amount, rich, tile, brief, same, board, held, judged, dangers, waits, unlike } = drawing({ words, columns, ...data });

  /** The grade of an answer, or why it has none. */
  const named = (row) => (row.grade ? W["grade_" + row.grade] : W["ver_" + row.verdict]);
  const pressed = (id) => $(id).getAttribute("aria-pressed") === "true";

  function show(row) {
    const hand = hands[row.hand], table = row.table, reveal = pressed("reveal"), tinted = pressed("tint");
    $("facts").replaceChildren(h("b", {}, hand.name), h("span", {}, h("span", { class: "label" }, W.dora), ...pairs(table.dora).map((name) => tile(name))),
      ...(table.sticks ? [h("span", {}, fill(W.sticks, { n: table.sticks }))] : []), h("span", {}, fill(W.turn, { turn: row.turn })));
    document.body.classList.toggle("tinted", tinted);
    $("felt").replaceChildren(board(row, hand, reveal));
    $("mine").replaceChildren(...[held(row, tinted), waits(table)].filter(Boolean));
    const truth = reveal ? [1, 2, 3].filter((seat) => row.truth.waits[seat - 1]).map((seat) =>
      h("p", { class: "hint" }, `${data.names[seat]}: ${W.waits} `, ...pairs(row.truth.waits[seat - 1]).map((name) => tile(name)))) : [];
    const resumed = table.resumed ? [h("p", { class: "hint" }, W.resumed_table)] : [];
    $("detail").replaceChildren(...[...judged(row), ...truth, ...resumed, dangers(row)].filter(Boolean));
    $("where").textContent = `${hand.name} \u00b7 ${row.number}/${rows.length}`;
  }

  // -- the list, filters, moving --------------------------------------------------------------------------------

  let current = rows.length ? rows[0].number : 0;
  let shown = rows;

  function fits(row) {
    const category = $("f-category").value, hand = $("f-hand").value, grades = $("f-grade").value.split(" ");
    return (!$("f-differs").checked || row.verdict === "differs") && (!category || row.category === category)
      && (hand === "" || row.hand === Number(hand)) && (!grades[0] || grades.includes(row.grade))
      && (!$("f-riichi").checked || row.threatened) && (!$("f-dealer").checked || hands[row.hand].dealer === 0);
  }

  function list() {
    shown = rows.filter(fits);
    const parts = [];
    let last = -1;
    const worst = $("f-worst").checked;
    if (worst) shown = [...shown].sort((one, other) => (other.loss || 0) - (one.loss || 0));
    for (const row of shown) {
      if (!worst && row.hand !== last) { parts.push(h("h3", {}, hands[row.hand].name)); last = row.hand; }
      const acts = row.played && !same(row.played, row.chosen) ? [...brief(row.played), " \u2192 ", ...brief(row.chosen)] : brief(row.played || row.chosen);
      parts.push(h("a", { class: (worst ? "item elsewhere " : "item ") + unlike(row.verdict) + (row.grade ? " " + row.grade : ""), href: "#d" + row.number, "aria-current": row.number === current ? "true" : null, title: named(row) },
        h("span", { class: "dot" }), h("span", {}, worst ? hands[row.hand].name : String(row.turn)), h("span", { class: "acts" }, ...acts), h("span", { class: "n" }, row.loss ? "\u2212" + amount(row.loss) : "")));
    }
    $("list").replaceChildren(...parts);
    $("place").max = Math.max(0, shown.length - 1);
    $("count").textContent = shown.length ? fill(W.f_count, { n: shown.length, all: rows.length }) : W.f_none;
  }

  function mark() {
    $("place").value = shown.findIndex((row) => row.number === current);
    for (const item of $("list").querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
    const item = $("list").querySelector(`[href="#d${current}"]`);
    if (!item) return;
    item.setAttribute("aria-current", "true");
    const box = $("list"), top = item.offsetTop - box.offsetTop;
    if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 2;
  }

  function view(name) {
    document.body.classList.toggle("screen", name === "decisions");
    document.body.classList.toggle("reading", name === "decisions");
    for (const section of document.querySelectorAll(".view")) section.hidden = section.id !== "v-" + name;
    for (const link of document.querySelectorAll(".tabs a")) {
      if (link.hash === "#" + name) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    }
  }

  let routed = null;
  function route() {
    if (location.hash === routed) return;
    routed = location.hash;
    const name = routed.slice(1), wanted = /^d(\d+)$/.exec(name);
    if (wanted || name === "decisions") {
      const row = rows.find((one) => one.number === Number(wanted ? wanted[1] : current)) || rows[0];
      view("decisions");
      if (!row) return;
      current = row.number;
      show(row);
      mark();
      for (const part of [$("stage"), $("detail")]) part.scrollTop = 0;
      window.scrollTo(0, 0);
    } else {
      view(name === "method" ? "method" : "overview");
      window.scrollTo(0, 0);
    }
    share();
  }

  /** Goes at once: the browser tells of the new address only after the next key may have come. */
  const visit = (place) => { location.hash = place; route(); };
  const go = (row) => { if (row) visit("d" + row.number); };
  const here = () => rows.findIndex((row) => row.number === current);
  /** The nearest shown decision that fits, forwards or backwards. */
  function step(direction, fit) {
    if (seats.length > 1 && $("everyone").checked) {
      const found = everyone.filter((one) => fit(one.row)), order = (one) => everyone.indexOf(one);
      const now = everyone.findIndex((one) => one.seat === open && one.row.number === current);
      const next = direction > 0 ? found.find((one) => order(one) > now) : found.filter((one) => order(one) < now).at(-1);
      if (next && next.seat !== open) sit(next.seat, "d" + next.row.number); else if (next) go(next.row);
      return;
    }
    const now = shown.findIndex((row) => row.number === current);  // -1 if the filters have left it out
    const ahead = now < 0 ? shown.filter((row) => (row.number - current) * direction > 0)
      : direction > 0 ? shown.slice(now + 1) : shown.slice(0, now);
    const found = ahead.filter(fit);
    go(direction > 0 ? found[0] : found.at(-1));
  }
  const any = () => true, differs = (row) => row.verdict === "differs";
  function stepHand(direction) {
    const now = rows[here()].hand, later = shown.filter((row) => (row.hand - now) * direction > 0);
    if (!later.length) return;
    const target = direction > 0 ? later[0].hand : later.at(-1).hand;
    go(later.find((row) => row.hand === target));
  }

  const sharing = sharer({ words, log, whole, title: data.title, viewer: data.viewer });
  /** What can be shared of what is on the page. */
  function share() {
    const row = $("v-decisions").hidden ? null : rows[here()], hand = row && hands[row.hand];
    const shown = row && { row, hand, board: board(row, hand, pressed("reveal")), caption: `${hand.name} \u00b7 ${fill(W.turn, { turn: row.turn })} \u00b7 Oshihiki` };
    $("share-menu").replaceChildren(...sharing(shown));
    $("share").hidden = !$("share-menu").children.length;
  }
  $("share").addEventListener("toggle", share);
  document.addEventListener("click", (event) => { if (!event.target.closest("#share > summary")) $("share").open = false; }, { signal });

  const click = (id) => $(id).click();
  const KEYS = {
    ArrowRight: () => step(1, any), ArrowLeft: () => step(-1, any), n: () => step(1, differs), p: () => step(-1, differs),
    ArrowDown: () => stepHand(1), ArrowUp: () => stepHand(-1), Home: () => go(shown[0]), End: () => go(shown.at(-1)),
    o: () => click("reveal"), d: () => click("tint"), h: () => $("detail").querySelector(".whole")?.toggleAttribute("open"), f: () => $("filters").toggleAttribute("open"),
    Escape: () => visit("overview"), "?": () => help(true),
    s: () => seats.length > 1 && sit((open + 1) % seats.length, "overview"), e: () => seats.length > 1 && click("everyone"),
  };
  const worst = (at) => rows.find((row) => row.number === data.worst[at]);
  for (const at of [0, 1, 2, 3, 4]) KEYS[at + 1] = () => go(worst(at));
  /** From the overview a key that moves begins at the first decision, or difference. */
  const BEGIN = { ArrowRight: () => rows[0], n: () => rows.find(differs), Enter: () => worst(0) };
  const EVERYWHERE = ["1", "2", "3", "4", "5", "?", "s", "e"];

  function help(open) {
    if (open && !$("help").open) $("help").showModal();
    else if (!open) $("help").close();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input[type=range]") || $("help").open) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, exploring = !$("v-decisions").hidden;
    if (!rows.length || (key === "Enter" && event.target.closest("a, button, summary"))) return;
    if (!exploring && BEGIN[key]) go(BEGIN[key]());
    else if (key in KEYS && (exploring || EVERYWHERE.includes(key))) KEYS[key]();
    else return;
    event.preventDefault();
  }, { signal });
  for (const [id, key] of [["b-next", "ArrowRight"], ["b-previous", "ArrowLeft"], ["b-next-diff", "n"], ["b-previous-diff", "p"], ["help-open", "?"]]) {
    $(id).addEventListener("click", () => KEYS[key]());
  }
  $("help-close").addEventListener("click", () => help(false));
  for (const id of ["f-differs", "f-category", "f-grade", "f-hand", "f-riichi", "f-dealer", "f-worst"]) {
    $(id).addEventListener("change", () => {
      list();
      const first = $("f-worst").checked ? shown[0] : shown.find((row) => row.number > current) || shown[0];
      if (shown.length && !shown.some((row) => row.number === current)) go(first); else mark();
    });
  }
  for (const id of ["reveal", "tint"]) {
    $(id).addEventListener("click", () => { $(id).setAttribute("aria-pressed", String(!pressed(id))); if (rows.length) show(rows[here()]); });
  }
  $("place").addEventListener("input", () => go(shown[Number($("place").value)]));
  window.addEventListener("hashchange", route, { signal });
  // all differences stand on paper alone
  window.addEventListener("beforeprint", () => $("printed").replaceChildren(...rows.filter((row) => row.verdict === "differs").map((row) =>
    h("tr", {}, h("th", { scope: "row" }, hands[row.hand].name), h("td", {}, fill(W.turn, { turn: row.turn })), h("td", {}, ...rich(row.say[document.documentElement.lang])), h("td", { class: "n cost-cell" }, `\u2212${amount(row.loss)}`)))), { signal });
  list();
  route();
  }

  for (const button of document.querySelectorAll(".seats button")) {
    button.addEventListener("click", () => sit(Number(button.dataset.seat), "overview"));
  }
  start(seats[0], leaving.signal);
})();
