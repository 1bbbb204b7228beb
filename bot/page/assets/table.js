"use strict";
/** What draws tables, hands and decisions. `data`: the words, the names, the unit of values and their decimals; for the
 * ranking also its `columns`, which `bot/page/table.py` declares. */
function drawing(data) {
  const W = data.words;
  const SVG = "http://www.w3.org/2000/svg";
  const MARK = "\u2063";
  // -- small things ---------------------------------------------------------------------------------------------

  function make(space, name, attributes, children) {
    const node = space ? document.createElementNS(space, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  }
  const h = (name, attributes, ...children) => make(null, name, attributes, children);
  const s = (name, attributes, ...children) => make(SVG, name, attributes, children);
  // "{n:game}" is a number with its noun: "1 game", "2 games"; "{n:is/are}" states the plural
  const fill = (text, parts) => text.replace(/\{(\w+)(?::([^}/]+)(?:\/([^}]+))?)?\}/g, (_, key, noun, several) => {
    const value = parts[key] ?? "";
    return noun ? value + " " + (String(value).replace(/^[+\u2212-]/, "") === "1" ? noun : several || noun + "s") : value;
  });
  const pairs = (text) => (text || "").match(/../g) || [];
  const triples = (text) => (text || "").match(/.../g) || [];
  const number = (value, decimals) => {
    const text = Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: decimals || 0, maximumFractionDigits: decimals || 0, roundingMode: "halfEven" });
    return (value < 0 && /[1-9]/.test(text) ? "\u2212" : "") + text;
  };
  /** A value in the policy's unit. */
  const amount = (value) => number(value, data.decimals);
  const percent = (share, digits) => (share === undefined ? "" : (100 * share).toFixed(digits) + "%");

  const tile = (name, extra) => s("svg", { class: "tile" + (extra ? " " + extra : ""), viewBox: "0 0 30 40", role: "img",
    "aria-label": name === "back" ? "" : name }, s("use", { href: "#t-" + name }));

  /** Text with its marked tiles as images; a comma stays with its tile. */
  function rich(text) {
    const parts = [];
    let last = 0;
    for (const found of text.matchAll(/\u2063([0-9][mpsz])([;,.:)\u3001\u3002])?/g)) {
      const image = tile(found[1]);
      parts.push(text.slice(last, found.index), found[2] ? h("span", { class: "kept" }, image, found[2]) : image);
      last = found.index + found[0].length;
    }
    return [...parts, text.slice(last)];
  }

  const action = (one) => rich(fill(W["act_" + one.kind], {
    tile: one.tile ? MARK + one.tile : "", own: pairs(one.own).map((name) => MARK + name).join("") }));
  /** The same, a discard by its tile alone. */
  const brief = (one) => (one.kind === "discard" ? [tile(one.tile)] : action(one));
  /** The dora that the indicators make, red fives among them. */
  function doras(indicators) {
    return pairs(indicators).flatMap(([digit, suit]) => {
      const n = digit === "0" ? 5 : Number(digit);
      const next = suit !== "z" ? n % 9 + 1 : n < 5 ? n % 4 + 1 : (n - 4) % 3 + 5;
      return next === 5 && suit !== "z" ? [`5${suit}`, `0${suit}`] : [`${next}${suit}`];
    });
  }
  const same = (one, other) => one && other && one.kind === other.kind && one.tile === other.tile && one.own === other.own;
  const discards = (one) => one && (one.kind === "discard" || one.kind === "riichi");

  // -- the table ------------------------------------------------------------------------------------------------

  const put = (name, x, y, wide, turned, extra) => {
    const high = wide * 4 / 3;
    const use = s("use", { href: "#t-" + name, width: wide, height: high, class: extra,
      x: turned ? -wide / 2 : x, y: turned ? -high / 2 : y,
      transform: turned ? `translate(${x + high / 2} ${y + high - wide / 2}) rotate(-90)` : null });
    return use;
  };

  function river(text, last) {
    const parts = [];
    let x = -9, row = 0;
    triples(text).forEach((code, index, all) => {
      const marks = Number(code[2]), turned = (marks & 2) > 0;
      if (index && index % 6 === 0 && row < 2) { row += 1; x = -9; }
      const y = 9.75 + 4.28 * row;
      const shade = [(marks & 1) && "thrown", (marks & 4) && "called"].filter(Boolean).join(" ");
      const wide = turned ? 4 : 3, discarded = put(code.slice(0, 2), x, y, 3, turned, shade || null);
      parts.push(last && index === all.length - 1 ? s("g", { class: "newest" }, discarded,
        s("rect", { class: "last", x: x + .1, y: turned ? y + 1.1 : y + .1, width: wide - .2, height: (turned ? 3 : 4) - .2, rx: .4 })) : discarded);
      x += wide + .05;
    });
    return parts;
  }

  function meld(one, row) {
    const w = 2.325, high = 3.1, y = 22.1 - (high + .15) * (row + 1);
    let laid = pairs(one.tiles).map((name) => [name, false]);
    if (one.kind === "ankan") {
      const red = laid.find(([name]) => name[0] === "0") || laid[1];
      laid = [["back"], laid[0] === red ? laid[1] : laid[0], red, ["back"]];
    } else {
      const place = one.from === 3 ? 0 : one.from === 2 ? 1 : laid.length;
      laid.splice(place, 0, ...(one.added ? [[one.called, true], [one.added, true]] : [[one.called, true]]));
    }
    let x = 22.1 - laid.reduce((sum, [, turned]) => sum + (turned ? high : w), 0);
    return laid.map(([name, turned]) => {
      const part = put(name, x, y, w, turned, null);
      x += turned ? high : w;
      return part;
    });
  }

  /** The concealed tiles of another seat: open where they are known, otherwise standing, seen from behind. */
  function concealed(text, count) {
    const names = text ? pairs(text) : Array(Math.max(0, count)).fill(null), w = 2.1;
    return names.map((name, index) => {
      const x = -names.length * w / 2 + index * w;
      return name ? put(name, x, 22.75, w, false, null) : s("use", { href: "#t-standing", x, y: 23.4, width: w, height: w * .8 });
    });
  }

  /** Where the disc and the points of each seat stand in the panel, and where its name stands: beside the panel at the
   * beginning of its river, where no tile comes to lie, not even that of a riichi. */
  const PLACES = [
    { disc: [-3.8, 7.1], points: [1.3, 7.1], name: [-9.7, 12], anchor: "end" },
    { disc: [5.7, -1.3], points: [5.7, 1.3], name: [10.8, 11], anchor: "start" },
    { disc: [-3.8, -7.1], points: [1.3, -7.1], name: [9.7, -12.8], anchor: "start" },
    { disc: [-5.7, -1.3], points: [-5.7, 1.3], name: [-10.8, -11.6], anchor: "end" },
  ];
  /** The middle of a line of text that large stands that far above its foot. */
  const MIDDLE = .36;

  /** The wind, the points and the name of a seat; names too long for their place end in dots. */
  function seatLabel(seat, table, hand) {
    const { disc, points, name, anchor } = PLACES[seat], wind = (seat - hand.dealer + 4) % 4, text = number(table.scores[seat]);
    const size = (seat % 2 ? 1.35 : 1.8) * Math.min(1, 6 / text.length), short = data.names[seat].length > 12 ? data.names[seat].slice(0, 11) + "\u2026" : data.names[seat];
    return [
      s("circle", { class: wind === 0 ? "wind dealer" : "wind", cx: disc[0], cy: disc[1], r: 1.15 }),
      s("text", { class: "wind-name", x: disc[0], y: disc[1] + 1.3 * MIDDLE, "font-size": 1.3, "text-anchor": "middle" }, W["wind_short_" + wind]),
      s("text", { class: "points", x: points[0], y: points[1] + size * MIDDLE, "font-size": size, "text-anchor": "middle" }, text),
      s("text", { class: "name", x: name[0], y: name[1], "font-size": 1.5, "text-anchor": anchor }, short),
      ...(data.strengths && data.strengths[seat] ? [s("text", { class: "strength", x: name[0], y: name[1] + 1.75, "font-size": 1.3, "text-anchor": anchor }, data.strengths[seat])] : []),
    ];
  }

  /** A stick with its number: one of 1,000 points, or one that counts honba. */
  const counted = (kind, x, n) => [s("rect", { class: "stick", x: x - 2.5, y: 4.7, width: 2.3, height: .5, rx: .15 }),
    ...(kind === "riichi" ? [s("circle", { class: "stick-dot", cx: x - 1.35, cy: 4.95, r: .17 })] : [-.45, -.15, .15, .45].map((at) => s("circle", { class: "stick-pip", cx: x - 1.35 + at, cy: 4.95, r: .1 }))),
    s("text", { class: "quiet", x: x + .3, y: 4.95 + 1.4 * MIDDLE, "font-size": 1.4, "data-count": kind }, n)];

  /** What lies in the middle: indicators, the round, the tiles left, honba and riichi sticks. */
  function middle(table, hand) {
    const found = pairs(table.dora), w = 2.05, japanese = document.documentElement.lang === "ja";
    return [
      s("g", { class: "indicators" }, ...[0, 1, 2, 3, 4].map((at) => put(found[at] ?? "back", (at - 2.5) * (w + .08), -5.5, w, false, null))),
      s("text", { class: "round", x: 0, y: .75, "font-size": japanese ? 1.85 : 2.6, "text-anchor": "middle" }, hand.name.match(/^[^-\u5c40]+/)[0] + (japanese ? "\u5c40" : "")),
      s("text", { class: "quiet", x: 0, y: 3.55, "font-size": 1.4, "text-anchor": "middle" }, fill(W.wall, { n: table.wall })),
      ...counted("honba", -.9, hand.honba ?? 0), ...counted("riichi", 3.3, table.sticks ?? 0),
    ];
  }

  /** The table of a row: `hand` has its name, its honba and its dealer, and is `bare` where the own tiles stand on the table
   * too; `reveal` shows the others' tiles. */
  function board(row, hand, reveal) {
    const table = row.table;
    const spoken = [hand.name, ...[0, 1, 2, 3].map((seat) =>
      `${data.names[seat]} ${W["wind_" + (seat - hand.dealer + 4) % 4]} ${number(table.scores[seat])}${table.riichi[seat] ? " riichi" : ""}: `
      + triples(table.rivers[seat]).map((code) => code.slice(0, 2)).join(" ")
      + (table.melds[seat].length ? " \u00b7 " + table.melds[seat].map((one) => one.kind + " " + one.tiles + (one.called || "")).join(", ") : ""))];
    const lying = s("g", { class: "lying" });
    for (let seat = 0; seat < 4; seat += 1) {
      const group = s("g", { transform: `rotate(${-90 * seat})`, "data-seat": seat });
      if (table.riichi[seat]) group.append(s("rect", { class: "stick", x: -3.4, y: 8.95, width: 6.8, height: .5, rx: .2 }), s("circle", { class: "stick-dot", cx: 0, cy: 9.2, r: .18 }));
      group.append(...river(table.rivers[seat], table.offered !== null && table.turn === seat));
      table.melds[seat].forEach((one, index) => group.append(...meld(one, index)));
      if (seat || hand.bare) group.append(...concealed(reveal && seat ? row.truth.hands[seat - 1] : null, 13 - 3 * table.melds[seat].length));
      lying.append(group);
    }
    const turn = s("path", { class: "active", d: "M-4.4 8.7H4.4", transform: `rotate(${-90 * table.turn})` });
    const svg = s("svg", { class: "board", viewBox: hand.bare ? "-26 -26 52 52" : "-26 -26 52 48.6", role: "img", "aria-label": spoken.join("; ") },
      s("rect", { class: "well", x: -8.7, y: -8.7, width: 17.4, height: 17.4, rx: .9 }), turn, ...middle(table, hand),
      ...[0, 1, 2, 3].flatMap((seat) => seatLabel(seat, table, hand)), lying);
    for (const name of doras(table.dora)) lying.querySelectorAll(`use[href="#t-${name}"]`).forEach((use) => use.classList.add("dora"));
    return svg;
  }

  // -- the hand -------------------------------------------------------------------------------------------------

  /** The chance that each tile of the hand deals in, the most dangerous first: `tile`, `by` the opponents on the right,
   * across and on the left, and `any` of them. A row states it as text, `5p012000103`, or as values. */
  function risks(row) {
    const found = typeof row.danger === "string" ? (row.danger.match(/.{11}/g) || []).map((text) => {
      const by = [2, 5, 8].map((at) => Number(text.slice(at, at + 3)) / 1000);
      return { tile: text.slice(0, 2), by, any: 1 - by.reduce((safe, chance) => safe * (1 - chance), 1) };
    }) : row.danger || [];
    return [...found].sort((one, other) => other.any - one.any);
  }

  const FACE = [255, 253, 246], ALARM = [242, 116, 98];
  /** The face of a tile that deals in that often: red from 20% on. */
  function alarm(chance) {
    const part = Math.min(1, Math.sqrt(chance / .2));
    return `rgb(${FACE.map((value, at) => Math.round(value + part * (ALARM[at] - value))).join(" ")})`;
  }

  /** The hand of a row, a bar over each discard for its value; `tinted`: its tiles shaded by their danger. */
  function held(row, tinted) {
    const table = row.table, danger = Object.fromEntries(tinted ? risks(row).map((one) => [one.tile, one.any]) : []);
    const slots = pairs(table.hand).map((name) => ({ name, kind: "" }));
    if (table.drawn) slots.push({ name: table.drawn, kind: " drawn" });
    const values = row.candidates.map((one) => one.value);
    const low = Math.min(...values), range = Math.max(...values) - low;
    const best = {};
    for (const one of row.candidates) {
      if (discards(one.action) && !(best[one.action.tile] >= one.value)) best[one.action.tile] = one.value;
    }
    const at = (one) => (discards(one) ? slots.map((slot) => slot.name).lastIndexOf(one.tile) : -1);
    const theirs = row.own_turn ? at(row.chosen) : -1, mine = row.own_turn ? at(row.played) : -1;
    const strip = h("div", { class: "held" }), dora = doras(table.dora);
    slots.forEach((slot, index) => {
      const bar = h("i"), value = best[slot.name];
      const known = row.own_turn && value !== undefined && range > 0;
      if (known) bar.style.height = `${8 + 92 * (value - low) / range}%`;
      const tag = index === theirs && index === mine ? W.both : index === theirs ? W.bot : index === mine ? W.played : "";
      const box = h("div", { class: "slot" + slot.kind + (index === theirs ? " bot" : "") + (index === mine ? " mine" : "") + (Math.abs(theirs - mine) === 1 ? " near" : "") + (dora.includes(slot.name) ? " dora" : "") },
        row.own_turn ? h("div", { class: "column", "aria-hidden": true }, known ? bar : null) : null, tile(slot.name), h("div", { class: "tag" }, tag));
      const risk = danger[slot.name] ?? danger[slot.name.replace("0", "5")];
      if (risk !== undefined) {
        box.classList.add("risky");
        for (const face of ["--face", "--red-face"]) box.style.setProperty(face, alarm(risk));
        box.insertBefore(h("small", { class: "risk" }, percent(risk, risk < .0995 ? 1 : 0).replace("%", "")), box.querySelector(".tile"));
      }
      strip.append(box);
    });
    if (table.offered) {
      strip.append(h("div", { class: "slot offer mine" + (dora.includes(table.offered) ? " dora" : "") }, tile(table.offered), h("div", { class: "tag" }, fill(W.offered_by, { who: W["seat_" + table.turn] }))));
    }
    return strip;
  }

  // -- one decision ---------------------------------------------------------------------------------------------

  const FORMS = { value: amount, chance: (share) => percent(share, 0), small_chance: (share) => percent(share, 1), count: String };

  /** The cell of a candidate in a column with these figures, each in its form. */
  function cell(one, figures) {
    const found = [];
    let occurs = false;
    for (const [name, form] of Object.entries(figures)) {
      const value = one[name];
      if (value === undefined) continue;
      if (form === "points") {
        if (occurs && value) found.push(" ", h("small", {}, number(value)));
      } else {
        found.push(...(found.length ? [" \u00b7 "] : []), FORMS[form](value));
        occurs = form === "chance" || value >= .0005;
      }
    }
    return found;
  }

  function ranking(row) {
    const top = row.candidates[0].value, near = (one, index) => one.near ?? (index > 0 && Math.abs(top - one.value) <= row.noise);
    // the difference is that of the values as they are written
    const written = (one) => one.written ?? (one.value === undefined ? undefined : Number(one.value.toFixed(data.decimals || 0)));
    const gap = (one, index) => (index === 0 ? [] : near(one, index) ? ["\u2248"] : [(one.value > top ? "+" : "") + amount(written(one) - written(row.candidates[0]))]);
    const [values, ...others] = Object.entries(data.columns).map(([key, figures]) => [key, (one) => cell({ ...one, value: written(one) }, figures)]);
    const columns = [values, ["c_gap", gap], ...others].filter(([key]) => W[key]).map(([key, show]) => ({ key, head: W[key], show }))
      .filter(({ show }) => row.candidates.some((one, index) => show(one, index).length));
    const body = row.candidates.map((one, index) => {
      const mine = same(one.action, row.played), theirs = index === 0;
      const tag = mine && theirs ? W.both : theirs ? W.bot : mine ? W.played : null;
      return h("tr", { class: [theirs && "bot", mine && "mine"].filter(Boolean).join(" ") || null },
        h("th", { scope: "row" }, ...brief(one.action), tag && h("span", { class: "tag" }, tag), one.note && h("small", {}, spoken(one.note))),
        ...columns.map(({ key, head, show }) => h("td", { class: "n" + (key === "c_gap" && near(one, index) ? " same" : key === "c_prior" ? " opinion" : ""), "data-head": head }, ...show(one, index))));
    });
    const wrap = h("div", { class: "scroll" }, h("table", { class: "ranking" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, W.c_action), ...columns.map(({ head }) => h("th", { scope: "col", class: "n" }, head)))),
      h("tbody", {}, ...body)));
    const noise = fill(row.points ? W.c_noise_points : W.c_noise, { noise: amount(row.noise), unit: data.unit, points: row.points });
    return row.candidates.length > 1 ? [wrap, h("p", { class: "hint" }, noise), sums(row)].filter(Boolean) : [];
  }

  /** How the values of the first answer and of what was played, or of the next best, add up. */
  function sums(row) {
    const [first, next] = row.candidates, mine = row.candidates.find((one) => same(one.action, row.played));
    const other = mine && mine !== first ? mine : next;
    if (!W.sum_title || !first.parts || !other.parts) return null;
    const names = Object.keys(first.parts).concat(Object.keys(other.parts).filter((name) => !(name in first.parts)));
    const most = Math.max(...names.map((name) => Math.abs((first.parts[name] || 0) - (other.parts[name] || 0))), 1e-9);
    const signed = (value) => (value > 0 ? "+" : "") + amount(value);
    const cells = (one, two, drawn) => [h("td", { class: "n" }, amount(one)), h("td", { class: "n" }, amount(two)), h("td", { class: "axis" }, drawn), h("td", { class: "n" }, signed(one - two))];
    const axis = (value) => s("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": true },
      s("rect", { class: value > 0 ? "gain" : "loss", x: 50 - (value < 0 ? 49 * -value / most : 0), width: 49 * Math.abs(value) / most, height: 8 }), s("path", { d: "M50 0V8" }));
    const lines = names.map((name) => [name, first.parts[name] || 0, other.parts[name] || 0]).filter(([, one, two]) => one || two).sort(([one], [two]) => (one === "network") - (two === "network"))
      .map(([name, one, two]) => h("tr", { class: name === "network" ? "opinion" : null }, h("th", { scope: "row" }, W["part_" + name]), ...cells(one, two, axis(one - two))));
    const total = [first, other].map((one) => Object.values(one.parts).reduce((sum, value) => sum + value, 0));
    const heads = [first, other].map((one) => h("th", { scope: "col", class: "n" }, ...brief(one.action)));
    return h("details", { class: "sums", open: row.verdict === "differs" }, h("summary", {}, W.sum_title),
      h("div", { class: "scroll" }, h("table", { class: "ranking" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, W.sum_part), ...heads, h("td", { class: "axis" }), h("th", { scope: "col", class: "n" }, W.c_gap))),
        h("tbody", {}, ...lines, h("tr", { class: "bot" }, h("th", { scope: "row" }, W.c_value), ...cells(...total, null))))));
  }

  /** Of two answers that leave a hand, the tiles that bring it nearer after one of them alone, after both, and those that
   * improve it without bringing it nearer; null unless both are known and differ. */
  function gained(row) {
    const [first] = row.candidates, mine = row.candidates.find((one) => same(one.action, row.played));
    if (!mine || mine === first || first.draws === undefined || mine.draws === undefined) return null;
    const kinds = (text) => triples(text), both = kinds(first.draws).filter((code) => kinds(mine.draws).includes(code));
    const copies = (codes) => codes.reduce((sum, code) => sum + Number(code[2]), 0);
    const tiles = (codes) => codes.flatMap((code) => [h("span", { class: "kept" }, tile(code.slice(0, 2)), "\u00d7" + code[2]), " "]);
    const line = (name, action, codes) => (codes.length ? h("tr", {}, h("th", { scope: "row" }, name, ...(action ? [" ", ...brief(action)] : [])), h("td", { class: "n" }, String(copies(codes))), h("td", { class: "kinds" }, ...tiles(codes))) : null);
    const only = (one, other) => kinds(one.draws).filter((code) => !kinds(other.draws).includes(code));
    const lines = [line(W.sum_only, first.action, only(first, mine)), line(W.sum_only, mine.action, only(mine, first)), line(W.sum_either, null, both),
      line(W.sum_shape, first.action, kinds(first.shapes)), line(W.sum_shape, mine.action, kinds(mine.shapes))].filter(Boolean);
    return lines.length ? h("details", { class: "gained" }, h("summary", {}, W.sum_tiles), h("div", { class: "scroll" }, h("table", { class: "ranking" }, h("tbody", {}, ...lines)))) : null;
  }

  /** The danger of each tile of the hand against each opponent, folded unless it is `open`; null if it is not known.
   * `tenpai`: the chance of each to be tenpai. */
  function dangers(row, open, tenpai) {
    const found = risks(row);
    if (!found.length) return null;
    const share = (chance) => h("td", { class: "n " + (chance >= .1 ? "high" : chance < .0005 ? "none" : "") }, chance < .0005 ? "0" : percent(chance, 1));
    const costs = found.some((one) => one.loss !== undefined);
    const heads = [W.danger_tile, W.seat_1, W.seat_2, W.seat_3, W.danger_any, ...(costs ? [W.c_loss] : [])];
    return h("details", { class: "dangers", open }, h("summary", {}, W.danger_title), h("div", { class: "scroll" }, h("table", { class: "risks" },
      h("thead", {}, h("tr", {}, ...heads.map((text, at) => h("th", { scope: "col", class: at ? "n" : null }, text)))),
      h("tbody", {}, ...found.map((one) => h("tr", {}, h("th", { scope: "row" }, tile(one.tile)), ...one.by.map(share), share(one.any),
        costs ? h("td", { class: "n" }, one.any >= .0005 ? number(one.loss) : "") : null))),
      tenpai ? h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, W.danger_tenpai), ...tenpai.map((chance) => h("td", { class: "n" }, percent(chance, 0))), h("td"), costs ? h("td") : null)) : null)));
  }

  /** A verdict as a class of its own: `held` is that of a hand. */
  const unlike = (verdict) => (verdict === "held" ? "verdict-held" : verdict);
  /** Characters from which a verdict is set smaller on a phone, so that it ends above the controls. */
  const LONG = 380;
  /** A text that comes by language, in that of the page. */
  const spoken = (texts) => texts[document.documentElement.lang];
  /** What a decision of a review says, for the column beside the table: its grade, the sentences, the ranking, the
   * grounds; `bot/review/shown.py` makes it. */
  function judged(row) {
    const name = row.grade ? W["grade_" + row.grade] : W["ver_" + row.verdict];
    const badge = h("span", { class: `badge ${row.grade || unlike(row.verdict)}` }, name + (row.loss ? ` \u2212${amount(row.loss)}` : ""));
    const say = spoken(row.say), first = row.brief ? spoken(row.brief) : say, grounds = spoken(row.grounds), mode = row.mode ? ` \u00b7 ${W.mode}: ${spoken(row.mode)}` : "";
    const whole = first === say ? null : h("details", { class: "whole" }, h("summary", {}, W.sum_whole), h("p", {}, ...rich(say)));
    return [h("p", { class: "grade" }, badge), h("p", { class: first.length > LONG ? "say long" : "say" }, ...rich(first)),
      ...ranking({ ...row, points: spoken(row.points) }), gained(row), whole,
      ...(grounds.length ? [h("h3", {}, W.grounds + mode), h("ul", { class: "grounds" }, ...grounds.map((text) => h("li", {}, ...rich(text))))] : [])].filter(Boolean);
  }

  /** Number of the tiles of a kind that the viewer of a table does not see. */
  function unseen(table, kind) {
    const rivers = table.rivers.flatMap((text) => triples(text).filter((code) => !(Number(code[2]) & 4)).map((code) => code.slice(0, 2)));
    const melds = table.melds.flat().flatMap((one) => [...pairs(one.tiles), one.called, one.added]);
    const seen = [...pairs(table.hand), table.drawn, ...pairs(table.dora), ...rivers, ...melds];
    return 4 - seen.filter((name) => name && name.replace("0", "5") === kind).length;
  }

  /** Kinds with the tiles left of each; those that `barred` names are struck out. */
  const counts = (table, kinds, barred) => kinds.map((name) => h("span", { class: barred.includes(name) ? "kept barred" : "kept" }, tile(name), `\u00d7${unseen(table, name)} `));

  /** The kinds that the viewer of a table has discarded: waiting on one of them is furiten. */
  const discarded = (table) => triples(table.rivers[0]).map((code) => code.slice(0, 2).replace("0", "5"));

  /** What the hand of a row waits on with the tiles left of each kind, and why it is furiten; null unless tenpai. */
  function waits(table) {
    if (!table.waits) return null;
    const kinds = pairs(table.waits), own = kinds.filter((name) => discarded(table).includes(name));
    const why = !table.furiten || !W.furiten_river ? [] : own.length ? [h("small", {}, W.furiten_river, ...own.map((name) => tile(name)))] : [h("small", {}, W.furiten_passed)];
    return h("p", { class: "waits" }, W.waits + " ", ...counts(table, kinds, own), ...(table.furiten ? [h("b", {}, " " + W.furiten)] : []), ...why);
  }

  /** A sentence with what went wrong, `why` by language; where that is not English, the English words follow, folded
   * under `label`. */
  const told = (text, why, label) => {
    const lang = document.documentElement.lang in why ? document.documentElement.lang : "en";
    const original = lang === "en" ? [] : [h("details", { class: "original" }, h("summary", {}, label), h("p", { lang: "en" }, why.en))];
    return [fill(text, { why: why[lang] }), ...original];
  };

  return { h, s, told, fill, pairs, triples, number, amount, percent, tile, rich, action, brief, same, discards, board, held, ranking, dangers, judged, waits, unseen, counts, discarded, unlike };
}

/** Marks every tile of the kind under the pointer: in hands, rivers, melds and sentences; a red five is a five. */
document.addEventListener("pointerover", (event) => {
  const tile = event.target.closest("svg.tile, use, .slot"), use = tile && (tile.matches("use") ? tile : tile.querySelector("use"));
  const found = use && /^#t-([0-9])([mpsz])$/.exec(use.getAttribute("href"));
  for (const one of document.querySelectorAll("use.alike")) one.classList.remove("alike");
  if (!found) return;
  const kinds = (found[1] === "0" || found[1] === "5" ? ["0", "5"] : [found[1]]).map((digit) => `use[href="#t-${digit}${found[2]}"]`);
  for (const one of document.querySelectorAll(kinds.join())) one.classList.add("alike");
});

/** Keys reach what scrolls sideways, by the name of its heading; what fits is no stop. */
function reachable() {
  for (const box of document.querySelectorAll(".scroll")) {
    const scrolls = box.scrollWidth > box.clientWidth;
    let head = box.closest("details")?.querySelector("summary") ?? box;
    while (head && !head.matches("h1, h2, h3, summary")) head = head.previousElementSibling;
    const name = head?.textContent || document.title;
    for (const [key, value] of Object.entries({ tabindex: "0", role: "region", "aria-label": name })) {
      if (scrolls) box.setAttribute(key, value); else box.removeAttribute(key);
    }
  }
}
for (const event of ["load", "resize", "hashchange", "toggle"]) window.addEventListener(event, reachable, true);
