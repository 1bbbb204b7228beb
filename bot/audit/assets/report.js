"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const W = data.words, rows = data.decisions, hands = data.hands;
  const $ = (id) => document.getElementById(id);
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
  const fill = (text, parts) => text.replace(/\{(\w+)\}/g, (_, key) => parts[key] ?? "");
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
    const strip = h("div", { class: "held" });
    slots.forEach((slot, index) => {
      const bar = h("i"), value = best[slot.name];
      const known = row.own_turn && value !== undefined && range > 0;
      if (known) bar.style.height = `${8 + 92 * (value - low) / range}%`;
      const tag = index === theirs && index === mine ? W.both : index === theirs ? W.bot : index === mine ? W.played : "";
      strip.append(h("div", { class: "slot" + slot.kind + (index === theirs ? " bot" : "") + (index === mine ? " mine" : "") + (Math.abs(theirs - mine) === 1 ? " near" : "") },
        row.own_turn ? h("div", { class: "column", "aria-hidden": true }, known ? bar : null) : null, tile(slot.name), h("div", { class: "tag" }, tag)));
    });
    if (table.offered) {
      strip.append(h("div", { class: "slot offer mine" }, tile(table.offered), h("div", { class: "tag" }, fill(W.offered_by, { who: W["seat_" + table.turn] }))));
    }
    return strip;
  }

  // -- one decision ---------------------------------------------------------------------------------------------

  function ranking(row) {
    const top = row.candidates[0].value;
    const columns = [
      ["c_value", (one) => amount(one.value)],
      ["c_gap", (one, index) => (index === 0 ? "" : Math.abs(top - one.value) <= row.noise ? "\u2248" : (one.value > top ? "+" : "") + amount(one.value - top))],
      ["c_win", (one) => percent(one.p_win, 0)],
      ["c_deal_in", (one) => percent(one.p_deal_in, 1)],
      ["c_loss", (one) => (one.expected_loss && one.p_deal_in >= .0005 ? number(one.expected_loss) : "")],
      ["c_shanten", (one) => one.shanten ?? ""],
      ["c_ukeire", (one) => one.ukeire ?? ""],
      ["c_prior", (one) => percent(one.prior, 0)],
      ["c_lean", (one) => (one.lean ? amount(one.lean) : "")],
    ].filter(([, show]) => row.candidates.some((one, index) => show(one, index) !== ""));
    const body = row.candidates.map((one, index) => {
      const mine = same(one.action, row.played), theirs = index === 0;
      const tag = mine && theirs ? W.both : theirs ? W.bot : mine ? W.played : null;
      return h("tr", { class: [theirs && "bot", mine && "mine"].filter(Boolean).join(" ") },
        h("th", { scope: "row" }, ...brief(one.action), tag && h("span", { class: "tag" }, tag), one.note && h("small", {}, one.note)),
        ...columns.map(([key, show]) => h("td", { class: "n" + (key === "c_gap" && show(one, index) === "\u2248" ? " same" : "") }, String(show(one, index)))));
    });
    const wrap = h("div", { class: "scroll" }, h("table", { class: "ranking" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, W.c_action), ...columns.map(([key]) => h("th", { scope: "col", class: "n" }, W[key])))),
      h("tbody", {}, ...body)));
    const noise = fill(row.points ? W.c_noise_points : W.c_noise, { noise: amount(row.noise), unit: data.unit, points: row.points });
    return row.candidates.length > 1 ? [wrap, h("p", { class: "hint" }, noise)] : [];
  }

  function show(row) {
    const hand = hands[row.hand], table = row.table, reveal = $("reveal").checked;
    const place = h("p", { class: "place" }, h("b", {}, hand.name), fill(W.turn, { turn: row.turn }),
      hand.honba ? h("span", {}, fill(W.honba, { n: hand.honba })) : null,
      table.sticks ? h("span", {}, fill(W.sticks, { n: table.sticks })) : null,
      h("span", {}, W.dora + " ", ...pairs(table.dora).map((name) => tile(name))),
      h("span", { class: "badge " + row.verdict }, W["ver_" + row.verdict] + (row.loss ? ` \u2212${amount(row.loss)}` : "")));
    const waits = table.waits ? h("p", { class: "hint" }, W.waits + " ", ...pairs(table.waits).map((name) => tile(name)), table.furiten ? " " + W.furiten : "") : null;
    const truth = reveal ? [1, 2, 3].filter((seat) => row.truth.waits[seat - 1]).map((seat) =>
      h("p", { class: "hint" }, `${data.names[seat]}: ${W.waits} `, ...pairs(row.truth.waits[seat - 1]).map((name) => tile(name)))) : [];
    const resumed = table.resumed ? h("p", { class: "hint" }, W.resumed_table) : null;
    const grounds = row.grounds.length ? [h("h3", {}, `${W.grounds} \u00b7 ${W.mode}: ${row.mode}`),
      h("ul", { class: "grounds" }, ...row.grounds.map((text) => h("li", {}, ...rich(text))))] : [];
    $("stage").replaceChildren(place, h("div", { class: "two" }, h("div", {}, board(row, hand, reveal), held(row), waits, ...truth, resumed),
      h("div", { class: "detail" }, h("p", { class: "say" }, ...rich(row.say)), ...ranking(row), ...grounds)));
    $("where").textContent = `${hand.name} \u00b7 ${row.number}/${rows.length}`;
  }

  // -- the list, filters, moving --------------------------------------------------------------------------------

  let current = rows.length ? rows[0].number : 0;
  let shown = rows;

  function fits(row) {
    const category = $("f-category").value, hand = $("f-hand").value, least = Number($("f-loss").value);
    return (!$("f-differs").checked || row.verdict === "differs") && (!category || row.category === category)
      && (hand === "" || row.hand === Number(hand)) && (!least || (row.loss || 0) >= least);
  }

  function list() {
    shown = rows.filter(fits);
    const parts = [];
    let last = -1;
    for (const row of shown) {
      if (row.hand !== last) { parts.push(h("h3", {}, hands[row.hand].name)); last = row.hand; }
      const acts = row.played && !same(row.played, row.chosen) ? [...brief(row.played), " \u2192 ", ...brief(row.chosen)] : brief(row.played || row.chosen);
      parts.push(h("a", { class: "item " + row.verdict, href: "#d" + row.number, "aria-current": row.number === current ? "true" : null, title: W["ver_" + row.verdict] },
        h("span", { class: "dot" }), h("span", {}, String(row.turn)), h("span", { class: "acts" }, ...acts), h("span", { class: "n" }, row.loss ? "\u2212" + amount(row.loss) : "")));
    }
    $("list").replaceChildren(...parts);
    $("count").textContent = shown.length ? fill(W.f_count, { n: shown.length, all: rows.length }) : W.f_none;
  }

  function mark() {
    for (const item of $("list").querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
    const item = $("list").querySelector(`[href="#d${current}"]`);
    if (!item) return;
    item.setAttribute("aria-current", "true");
    const box = $("list"), top = item.offsetTop - box.offsetTop;
    if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 2;
  }

  function view(name) {
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
      const came = $("v-decisions").hidden;
      view("decisions");
      if (!row) return;
      current = row.number;
      show(row);
      mark();
      if (came) window.scrollTo(0, 0);
    } else {
      view(name === "method" ? "method" : "overview");
      window.scrollTo(0, 0);
    }
  }

  /** Goes at once: the browser tells of the new address only after the next key may have come. */
  const visit = (place) => { location.hash = place; route(); };
  const go = (row) => { if (row) visit("d" + row.number); };
  const here = () => rows.findIndex((row) => row.number === current);
  /** The nearest shown decision that fits, forwards or backwards. */
  function step(direction, fit) {
    const found = shown.filter((row) => (row.number - current) * direction > 0 && fit(row));
    go(direction > 0 ? found[0] : found.at(-1));
  }
  const any = () => true, differs = (row) => row.verdict === "differs";
  function stepHand(direction) {
    const now = rows[here()].hand, later = shown.filter((row) => (row.hand - now) * direction > 0);
    if (!later.length) return;
    const target = direction > 0 ? later[0].hand : later.at(-1).hand;
    go(later.find((row) => row.hand === target));
  }

  const click = (id) => $(id).click();
  const KEYS = {
    ArrowRight: () => step(1, any), ArrowLeft: () => step(-1, any), n: () => step(1, differs), p: () => step(-1, differs),
    "]": () => stepHand(1), "[": () => stepHand(-1), Home: () => go(shown[0]), End: () => go(shown.at(-1)),
    d: () => click("f-differs"), h: () => click("reveal"), o: () => visit("overview"), "?": () => help(true),
  };
  /** From the overview a key that moves begins at the first decision, or difference. */
  const BEGIN = { ArrowRight: any, n: differs };

  function help(open) {
    if (open && !$("help").open) $("help").showModal(); else if (!open) $("help").close();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select") || $("help").open) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!(key in KEYS) || !rows.length) return;
    const exploring = !$("v-decisions").hidden;
    if (!exploring && BEGIN[key]) go(rows.find(BEGIN[key]));
    else if (exploring || key === "o" || key === "?") KEYS[key]();
    else return;
    event.preventDefault();
  });
  for (const [id, key] of [["b-next", "ArrowRight"], ["b-previous", "ArrowLeft"], ["b-next-diff", "n"], ["b-previous-diff", "p"], ["help-open", "?"]]) {
    $(id).addEventListener("click", () => KEYS[key]());
  }
  $("help-close").addEventListener("click", () => help(false));
  for (const id of ["f-differs", "f-category", "f-loss", "f-hand"]) {
    $(id).addEventListener("change", () => {
      list();
      if (shown.length && !shown.some((row) => row.number === current)) go(shown.find((row) => row.number > current) || shown[0]); else mark();
    });
  }
  $("reveal").addEventListener("change", () => { if (rows.length) show(rows[here()]); });
  window.addEventListener("hashchange", route);
  list();
  route();
})();
