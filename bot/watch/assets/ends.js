/** Draws how a hand and a game ended. `W`: the words in the language `lang`; `who`: the players in turn order; `you`:
 * whether the first of them is the reader. */
function endings({ W, lang, who, you, drawer }) {
  const { h, fill, tile, pairs, number } = drawer;
  const signed = (value) => (value > 0 ? "+" : "") + number(value);

  /** The tiles of a meld as they lie: those of a closed kan half hidden. */
  function meld(one) {
    const all = [...pairs(one.tiles), ...(one.called ? [one.called] : []), ...(one.added ? [one.added] : [])];
    if (one.kind === "ankan") { all[0] = "back"; all[3] = "back"; }
    return h("span", { class: "tiles" }, ...all.map((name) => tile(name)));
  }

  function tilesOf(end) {
    return h("div", { class: "won" }, h("span", { class: "tiles" }, ...pairs(end.hand).map((name) => h("span", { "data-part": "tile" }, tile(name)))),
      h("span", { class: "tiles winning", "data-part": "winning" }, tile(end.tile)), ...end.melds.map(meld));
  }

  function indicators(label, text) {
    const shown = pairs(text);
    return shown.length ? h("span", { class: "doras" }, label + " ", ...shown.map((name) => tile(name))) : null;
  }

  /** One row a player: points before, the change, points after. */
  function payments(end) {
    return h("table", { class: "payments", "data-part": "payments" }, h("tbody", {}, ...[0, 1, 2, 3].map((seat) => {
      const change = end.deltas[seat];
      return h("tr", { class: [seat === 0 && "own", end.seat === seat && "winner"].filter(Boolean).join(" ") || null }, h("th", { scope: "row" }, who[seat]),
        h("td", { class: "n" }, number(end.before[seat])),
        h("td", { class: "n " + (change > 0 ? "gain" : change < 0 ? "loss" : "nil") }, change ? signed(change) : ""),
        h("td", { class: "n after" }, number(end.before[seat] + change)));
    })));
  }

  function yaku(end) {
    return h("ul", { class: "yaku" }, ...(end.yaku || []).map(([name, han]) => h("li", { "data-part": "yaku" }, h("span", {}, name[lang]), h("b", {}, han ? fill(W.han, { n: han }) : ""))));
  }

  /** The fu one by one, as they add up before they are rounded; null where they are not known. */
  function fu(end) {
    if (!end.fu_parts || !end.fu_parts.length) return null;
    const parts = end.fu_parts.map(([name, value, kind]) => h("span", { class: "kept" }, kind ? tile(kind) : null, `${W["fu_" + name]} `, h("b", {}, value)));
    return h("p", { class: "fu", "data-part": "fu" }, h("span", {}, fill(W.fu, { n: end.fu })), ...parts);
  }

  /** What a win is worth in one line: han and fu, the limit, the points. */
  function worth(end) {
    if (end.points === undefined) return null;
    const counted = end.han && end.limit ? fill(end.fu ? W.han_fu : W.han, { han: end.han, n: end.han, fu: end.fu }) + " \u00b7 " : "";
    return h("p", { class: "worth", "data-part": "worth" }, h("strong", { "data-points": end.points }, fill(W.n_points, { n: number(end.points) })), " ", counted + end.value[lang]);
  }

  /** How a hand ended. */
  function hand(end) {
    const extra = [end.honba ? fill(W.honba, { n: end.honba }) : "", end.sticks ? fill(W.sticks, { n: end.sticks }) : ""].filter(Boolean).join(" \u00b7 ");
    if (end.kind === "draw") {
      const shown = [0, 1, 2, 3].filter((seat) => end.hands[seat]).map((seat) => h("p", { class: "shown", "data-part": "hand" }, h("span", { class: "tiles" }, ...pairs(end.hands[seat]).map((name) => tile(name))), h("small", {}, who[seat])));
      return [h("h2", { id: "ended" }, end.why[lang]), ...shown, payments(end)];
    }
    const alone = end.seat === end.from;
    const key = you && end.seat === 0 ? (alone ? "you_won_self" : "you_won_from") : alone ? "won_self" : you && end.from === 0 ? "won_from_you" : "won_from";
    const title = fill(W[key], { who: who[end.seat], other: who[end.from] });
    return [h("h2", { id: "ended" }, title), tilesOf(end), h("p", { class: "marks", "data-part": "marks" }, indicators(W.dora, end.dora), indicators(W.ura, end.ura), extra ? h("small", {}, extra) : null),
      yaku(end), fu(end), worth(end), payments(end), end.pao !== null && end.pao !== undefined ? h("p", { class: "hint" }, fill(W.pao, { who: who[end.pao] })) : null].filter(Boolean);
  }

  /** The end of a game: places, points, results. */
  function game(end) {
    const order = [0, 1, 2, 3].sort((one, other) => end.places[one] - end.places[other]);
    return h("table", { class: "ending" },
      h("thead", {}, h("tr", {}, ...[W.place_n, W.player, W.points, end.results ? W.result : ""].map((text, at) => h("th", { scope: "col", class: at > 1 ? "n" : null }, text)))),
      h("tbody", {}, ...order.map((seat) => h("tr", { class: seat ? null : "own" }, h("td", {}, W["place_" + end.places[seat]]), h("th", { scope: "row" }, who[seat]),
        h("td", { class: "n" }, number(end.scores[seat])), h("td", { class: "n" }, end.results ? number(end.results[seat], 1) : "")))));
  }

  return { hand, game };
}
