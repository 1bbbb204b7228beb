(() => {
  const { words } = JSON.parse(document.getElementById("data").textContent), $ = (id) => document.getElementById(id);
  const { h, fill, tile, number, percent, told } = drawing({ words, decimals: 0, unit: "" });
  const FIELDS = ["hand", "melds", "dora", "visible"], CHOICES = ["round", "seat", "turn", "against"];
  const EXAMPLE = "234m4067p34588s11z";
  const HONOURS = { E: 1, S: 2, W: 3, N: 4, P: 5, F: 6, C: 7, \u6771: 1, \u5357: 2, \u897f: 3, \u5317: 4, \u767d: 5, \u767c: 6, \u767a: 6, \u4e2d: 7 };

  /** The tiles of a text, each as two characters; what is no tile is left out. */
  function tiles(text) {
    const found = [];
    let digits = "";
    for (const char of text) {
      const at = char.codePointAt(0) - 0x1f000;
      if (/[0-9]/.test(char)) digits += char;
      else if (/[mpsz]/.test(char)) { found.push(...[...digits].map((digit) => digit + char)); digits = ""; }
      else if (char in HONOURS) found.push(HONOURS[char] + "z");
      else if (at >= 0 && at < 7) found.push([1, 2, 3, 4, 7, 6, 5][at] + "z");
      else if (at >= 7 && at < 34) found.push((at - 7) % 9 + 1 + "msp"[Math.floor((at - 7) / 9)]);
    }
    return found;
  }

  const { say } = door.line(`${location.pathname}live${location.search}`, {
    hear: (said) => { if (said.number === asked) show(said); },
    change: (open) => { if (open) ask(); else if (!$("answer").children.length) $("answer").replaceChildren(h("p", {}, words.ended)); },
    until: () => false,
  });

  let asked = 0, waiting = null;
  const values = () => Object.fromEntries([...FIELDS, ...CHOICES].map((name) => [name, $(name).value]));
  /** Asks what the position is worth, and keeps it in the address. */
  function ask() {
    const found = values();
    $("chosen").replaceChildren(...tiles(found.hand).map((name, at) => button(name, words.remove, () => set("hand", tiles($("hand").value).toSpliced(at, 1).join("")))));
    history.replaceState(null, "", "#" + new URLSearchParams(Object.entries(found).filter(([, value]) => value)));
    if (!found.hand.trim()) { $("answer").replaceChildren(h("p", { class: "hint" }, words.empty)); return; }
    asked += 1;
    clearTimeout(waiting);
    waiting = setTimeout(() => say({ do: "evaluate", number: asked, position: { ...found, turn: Number(found.turn), against: Number(found.against) } }), 200);
  }
  function set(name, text) {
    $(name).value = text;
    ask();
  }

  function button(name, label, act) {
    const made = h("button", { type: "button", "data-tile": name, "aria-label": fill(label, { tile: name }) }, tile(name));
    made.addEventListener("click", act);
    return made;
  }
  function add(name) {
    const into = document.querySelector("[name=into]:checked").value, before = $(into).value;
    const full = into === "melds" && tiles(before.split(" ").at(-1)).length === 3;
    set(into, before + (full ? " " : "") + name);
  }
  $("palette").append(..."mps".split("").flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => digit + suit)).concat([1, 2, 3, 4, 5, 6, 7].map((digit) => digit + "z")).map((name) => button(name, words.add, () => add(name))));

  const copies = (found) => Object.entries(found.tiles).filter(([, count]) => count).flatMap(([name, count]) => [h("span", { class: "kept" }, tile(name), "\u00d7" + count), " "]);

  function show(said) {
    if (said.failed) { $("answer").replaceChildren(h("p", { class: "notice" }, ...told(words.wrong, said.failed, words.original))); return; }
    const actions = said.answer.actions, of = (one) => (one.kind === "discard" || one.kind === "riichi" ? [tile(one.tile), one.kind === "riichi" ? ` ${words.riichi}` : ""] : [one.kind === "pass" ? words.none_here : one.action]);
    const cells = (one) => [["c_value", number(one.value)], ["c_win", percent(one.p_win ?? 0, 1)], ["c_tenpai", percent(one.p_tenpai ?? 0, 1)], ["c_points", one.win_points && one.p_win ? number(one.win_points) : ""], ["c_shanten", one.shanten ?? said.answer.shanten]];
    const near = (one) => one.ukeire ?? said.answer.ukeire ?? { total: 0, tiles: {} };
    const heads = ["c_action", "c_value", "c_win", "c_tenpai", "c_points", "c_shanten", "c_tiles"].map((key, at) => h("th", { scope: "col", class: at && at < 6 ? "n" : null }, words[key]));
    const rows = actions.map((one, at) => h("tr", { class: at ? null : "bot" }, h("th", { scope: "row" }, ...of(one)), ...cells(one).map(([key, text]) => h("td", { class: "n", "data-head": words[key] }, String(text))),
      h("td", { class: "kinds", "data-head": words.c_tiles }, h("b", {}, near(one).total + " "), ...copies(near(one)))));
    $("answer").replaceChildren(h("div", { class: "scroll" }, h("table", { class: "ranking" }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows))), ...beside(actions),
      h("p", { class: "hint" }, fill(words.by, { n: number(said.answer.nodes), ms: Math.round(said.answer.ms) })));
  }

  /** A sentence with tiles in its places. */
  const sentence = (text, parts) => text.split(/(\{\w+\})/).map((part) => (part in parts ? tile(parts[part]) : part));

  /** What the best discard gains and loses against the next, and what improves the hand after either. */
  function beside(actions) {
    const [best, next] = actions.filter((one, at, all) => one.kind === "discard" && all.findIndex((other) => other.tile === one.tile && other.kind === "discard") === at);
    if (!next || !best.ukeire) return [];
    const only = (one, other) => ({ tiles: Object.fromEntries(Object.entries(one.ukeire.tiles).filter(([name]) => !(name in other.ukeire.tiles))) });
    const names = { "{one}": best.tile, "{other}": next.tile }, gains = copies(only(best, next)), loses = copies(only(next, best));
    const lines = gains.length || loses.length ? [h("p", { class: "beside" }, ...sentence(words.gains, names), " ", ...(gains.length ? gains : [words.no_tiles + " "]), words.loses, " ", ...(loses.length ? loses : [words.no_tiles]))] : [];
    const shapes = [best, next].filter((one) => Object.keys(one.shapes.tiles).length).map((one) => h("p", { class: "shapes" }, ...sentence(words.shape, { "{one}": one.tile }), " ", ...copies(one.shapes)));
    return [...lines, ...shapes];
  }

  for (const name of [...FIELDS, ...CHOICES]) $(name).addEventListener("input", ask);
  for (const name of FIELDS) $(name).addEventListener("focus", () => { document.querySelector(`[name=into][value=${name}]`).checked = true; });
  $("clear").addEventListener("click", () => { for (const name of FIELDS) $(name).value = ""; ask(); });
  $("example").addEventListener("click", () => set("hand", EXAMPLE));
  $("position").addEventListener("submit", (event) => event.preventDefault());
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) if ([...FIELDS, ...CHOICES].includes(name)) $(name).value = value;
  ask();
})();
