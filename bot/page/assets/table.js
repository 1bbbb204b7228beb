"use strict";
/** What draws tables, hands and decisions. `data`: the words, the names, the unit of values and their decimals. */
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
    const text = Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: decimals || 0, maximumFractionDigits: decimals || 0 });
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
      const y = 9.7 + 4.1 * row;
      const shade = [(marks & 1) && "thrown", (marks & 4) && "called"].filter(Boolean).join(" ");
      parts.push(put(code.slice(0, 2), x, y, 3, turned, shade || null));
      const wide = turned ? 4 : 3;
      if (last && index === all.length - 1) {
        parts.push(s("rect", { class: "last", x: x + .1, y: turned ? y + 1.1 : y + .1, width: wide - .2, height: (turned ? 3 : 4) - .2, rx: .4 }));
      }
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

  function concealed(text, count) {
    const names = text ? pairs(text) : Array(Math.max(0, count)).fill("back"), w = 2.1;
    return names.map((name, index) => put(name, -names.length * w / 2 + index * w, 22.75, w, false, null));
  }

  function seatLabel(seat, row, hand) {
    const table = row.table, wind = (seat - hand.dealer + 4) % 4;
    const across = seat === 2, turn = across ? 0 : -90 * seat;
    const line = across ? -6.5 : 7.9, name = across ? -4.6 : 5.9;
    const short = data.names[seat].length > 12 ? data.names[seat].slice(0, 11) + "\u2026" : data.names[seat];
    const group = s("g", { transform: `rotate(${turn})` });
    if (table.turn === seat) group.append(s("path", { class: "active", d: across ? "M-9-9H9L5.4-6H-5.4Z" : "M-9 9H9L5.4 6H-5.4Z" }));
    group.append(
      s("text", { x: 0, y: line, "font-size": 1.9, "text-anchor": "middle", "font-weight": 600 },
        s("tspan", { class: wind === 0 ? "dealer" : null }, W["wind_short_" + wind] + " "), number(table.scores[seat])),
      s("text", { x: 0, y: name, "font-size": 1.4, "text-anchor": "middle", class: "name" }, short));
    if (table.riichi[seat]) {
      const y = across ? -9.25 : 8.7;
      group.append(s("rect", { class: "stick", x: -3.4, y, width: 6.8, height: .6, rx: .3 }), s("circle", { class: "stick-dot", cx: 0, cy: y + .3, r: .2 }));
    }
    return group;
  }

  /** The table of a row: `hand` names it and its dealer; `reveal` shows the others' tiles. */
  function board(row, hand, reveal) {
    const table = row.table;
    const spoken = [hand.name, ...[0, 1, 2, 3].map((seat) =>
      `${data.names[seat]} ${W["wind_" + (seat - hand.dealer + 4) % 4]} ${number(table.scores[seat])}${table.riichi[seat] ? " riichi" : ""}: `
      + triples(table.rivers[seat]).map((code) => code.slice(0, 2)).join(" ")
      + (table.melds[seat].length ? " \u00b7 " + table.melds[seat].map((one) => one.kind + " " + one.tiles + (one.called || "")).join(", ") : ""))];
    const svg = s("svg", { class: "board", viewBox: "-26 -26 52 48.6", role: "img", "aria-label": spoken.join("; ") },
      s("rect", { class: "panel", x: -9, y: -9, width: 18, height: 18, rx: .8 }));
    for (let seat = 0; seat < 4; seat += 1) {
      svg.append(seatLabel(seat, row, hand));
      const group = s("g", { transform: `rotate(${-90 * seat})` });
      group.append(...river(table.rivers[seat], table.offered !== null && table.turn === seat));
      table.melds[seat].forEach((one, index) => group.append(...meld(one, index)));
      if (seat) group.append(...concealed(reveal ? row.truth.hands[seat - 1] : null, 13 - 3 * table.melds[seat].length));
      svg.append(group);
    }
    svg.append(s("text", { x: 0, y: .1, "font-size": 2.5, "font-weight": 650, "text-anchor": "middle" }, hand.name),
      s("text", { x: 0, y: 2.2, "font-size": 1.4, "text-anchor": "middle", class: "name" }, fill(W.wall, { n: table.wall })));
    return svg;
  }

  // -- the hand -------------------------------------------------------------------------------------------------

  function held(row) {
    const table = row.table;
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
      strip.append(h("div", { class: "slot" + slot.kind + (index === theirs ? " bot" : "") + (index === mine ? " mine" : "") + (Math.abs(theirs - mine) === 1 ? " near" : "") + (dora.includes(slot.name) ? " dora" : "") },
        row.own_turn ? h("div", { class: "column", "aria-hidden": true }, known ? bar : null) : null, tile(slot.name), h("div", { class: "tag" }, tag)));
    });
    if (table.offered) {
      strip.append(h("div", { class: "slot offer mine" + (dora.includes(table.offered) ? " dora" : "") }, tile(table.offered), h("div", { class: "tag" }, fill(W.offered_by, { who: W["seat_" + table.turn] }))));
    }
    return strip;
  }

  // -- one decision ---------------------------------------------------------------------------------------------

  /** A chance, and in small digits the points that it is about. */
  const both = (chance, points) => (chance && points ? `${chance} \u00b7 ${number(points)}` : chance);

  function ranking(row) {
    const top = row.candidates[0].value;
    const columns = [
      ["c_value", (one) => amount(one.value)],
      ["c_gap", (one, index) => (index === 0 ? "" : Math.abs(top - one.value) <= row.noise ? "\u2248" : (one.value > top ? "+" : "") + amount(one.value - top))],
      ["c_win", (one) => both(percent(one.p_win, 0), one.win_points)],
      ["c_deal_in", (one) => both(percent(one.p_deal_in, 1), one.p_deal_in >= .0005 ? one.expected_loss : undefined)],
      ["c_later", (one) => percent(one.p_later, 0)],
      ["c_shape", (one) => [one.shanten, one.ukeire].filter((each) => each !== undefined).join(" \u00b7 ")],
      ["c_prior", (one) => percent(one.prior, 0)],
    ].filter(([key, show]) => W[key] && row.candidates.some((one, index) => show(one, index) !== ""));
    const body = row.candidates.map((one, index) => {
      const mine = same(one.action, row.played), theirs = index === 0;
      const tag = mine && theirs ? W.both : theirs ? W.bot : mine ? W.played : null;
      return h("tr", { class: [theirs && "bot", mine && "mine"].filter(Boolean).join(" ") },
        h("th", { scope: "row" }, ...brief(one.action), tag && h("span", { class: "tag" }, tag), one.note && h("small", {}, one.note)),
        ...columns.map(([key, show]) => h("td", { class: "n" + (key === "c_gap" && show(one, index) === "\u2248" ? " same" : "") }, String(show(one, index)))));
    });
    const wrap = h("div", { class: "scroll" }, h("table", { class: "ranking" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, W.c_action), ...columns.map(([key]) => h("th", { scope: "col", class: "n" }, fill(W[key], { whose: data.whose ? ` (${data.whose})` : "" }))))),
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
    const cells = (one, two) => [one, two, one - two].map((value, at) => h("td", { class: "n" }, (at === 2 && value > 0 ? "+" : "") + amount(value)));
    const lines = names.map((name) => [name, first.parts[name] || 0, other.parts[name] || 0]).filter(([, one, two]) => one || two)
      .map(([name, one, two]) => h("tr", {}, h("th", { scope: "row" }, W["part_" + name]), ...cells(one, two)));
    const total = [first, other].map((one) => Object.values(one.parts).reduce((sum, value) => sum + value, 0));
    const heads = [first, other].map((one) => h("th", { scope: "col", class: "n" }, ...brief(one.action)));
    return h("details", { class: "sums", open: row.verdict === "differs" }, h("summary", {}, W.sum_title),
      h("div", { class: "scroll" }, h("table", { class: "ranking" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, W.sum_part), ...heads, h("th", { scope: "col", class: "n" }, W.c_gap))),
        h("tbody", {}, ...lines, h("tr", { class: "bot" }, h("th", { scope: "row" }, W.c_value), ...cells(...total))))));
  }

  return { h, s, fill, pairs, triples, number, amount, percent, tile, rich, action, brief, same, discards, board, held, ranking };
}
