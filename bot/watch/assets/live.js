(() => {
  const WORDS = JSON.parse(document.getElementById("data").textContent).words;
  const $ = (id) => document.getElementById(id);
  let lang = new URLSearchParams(location.search).get("lang") || (navigator.language.startsWith("ja") ? "ja" : "en");
  if (!(lang in WORDS)) lang = "en";

  // -- what the program says --------------------------------------------------------------------------------------

  /** By key: the moments of a game in order, the open question, the messages. */
  let games = new Map();
  /** What the program sends: `games`, or after a new connection what replaces them once it is whole. */
  let incoming = games;
  let run = { games: [], days: [] };
  let state = "lost", drawn = false;
  /** What is on the screen: the key of a game, the index of a moment, and whether to go on with the newest. */
  const shown = { game: null, at: 0, follow: true };

  function game(key) {
    if (!incoming.has(key)) incoming.set(key, { key, moments: [], ask: null, notes: [] });
    return incoming.get(key);
  }

  function take(message) {
    if (message.run) {
      run = { games: [], days: [], ...message.run };
      return;
    }
    if (message.whole) {
      games = incoming;
      return;
    }
    const one = game(message.game);
    if ("moment" in message) one.moments[message.moment] = message;
    else if (message.decision && one.moments[message.at]) one.moments[message.at].decision = message.decision;
    else if (message.ask) one.ask = { ...message.ask, at: message.at };
    else if ("answered" in message) { if (one.ask && one.ask.number === message.answered) one.ask = null; }
    else if (message.note) one.notes = [...one.notes.slice(-2), message];
  }

  let socket = null, delay = 500;
  function connect() {
    socket = new WebSocket(`ws://${location.host}${location.pathname}live`);
    socket.addEventListener("open", () => { incoming = games.size ? new Map() : games; delay = 500; });
    socket.addEventListener("message", (event) => {
      for (const message of JSON.parse(event.data)) take(message);
      state = run.ended ? "ended" : "connected";
      soon();
    });
    socket.addEventListener("close", () => {
      state = run.ended ? "ended" : "lost";
      soon();
      if (run.ended) return;
      setTimeout(connect, delay);
      delay = Math.min(2 * delay, 8000);
    });
  }
  const say = (content) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(content)); };

  // -- drawing ----------------------------------------------------------------------------------------------------

  /** Draws before the next frame, however many messages came; in a hidden tab, a little later. */
  function soon() {
    if (drawn) return;
    drawn = true;
    const draw = () => { drawn = false; render(); };
    if (document.hidden) setTimeout(draw, 200); else requestAnimationFrame(draw);
  }

  function choose() {
    const listed = run.games.map((one) => one.key).filter((key) => games.has(key));
    const running = run.games.filter((one) => !one.over && games.has(one.key)).map((one) => one.key);
    const here = run.games.find((one) => one.key === shown.game);
    if (!games.has(shown.game)) shown.game = running[0] ?? listed[listed.length - 1] ?? null;
    else if (shown.follow && here && here.over) {
      const next = run.games.find((one) => !one.over && one.account === here.account && one.key > here.key && games.get(one.key)?.moments.length > 1);
      if (next) shown.game = next.key;
    }
    const one = games.get(shown.game);
    if (one && (shown.follow || shown.at >= one.moments.length)) shown.at = Math.max(0, one.moments.length - 1);
    return one;
  }

  function render() {
    const W = WORDS[lang], one = choose(), moment = one && one.moments[shown.at];
    const status = $("status"), live = state === "connected";
    status.textContent = live && !shown.follow ? W.paused : W[state];
    status.className = "badge " + (live ? (shown.follow ? "live" : "") : "late");
    list(W);
    results(W);
    controls(W, one);
    const drawer = drawing({ words: W, names: names(moment, W), decimals: 0, unit: "" });
    $("facts").replaceChildren(...(moment && moment.table ? facts(W, moment, drawer) : []));
    if (!moment) { $("stage").replaceChildren(drawer.h("p", { class: "calm" }, W.waiting)); return; }
    stage(W, one, moment, drawer);
  }

  const names = (moment, W) => (moment ? moment.names : ["", "", "", ""]).map((name, seat) => name || W["seat_" + seat]);

  function facts(W, moment, { h, fill, tile, pairs }) {
    const hand = moment.hand;
    return [h("b", {}, hand.name[lang]), ` \u00b7 ${W[moment.hanchan ? "hanchan" : "tonpu"]} \u00b7 ${fill(W.turn, { turn: moment.turn })}`,
      ...(hand.honba ? [" \u00b7 " + fill(W.honba, { n: hand.honba })] : []),
      ...(moment.table.sticks ? [" \u00b7 " + fill(W.sticks, { n: moment.table.sticks })] : []),
      ` \u00b7 ${W.dora} `, ...pairs(moment.table.dora).map((name) => tile(name))];
  }

  /** The decision of a moment, or the last one before it in the same hand. */
  function decisionAt(one, at) {
    const hand = one.moments[at].hand;
    for (let place = at; place >= 0; place -= 1) {
      const moment = one.moments[place];
      if (!moment || !moment.hand || !hand || moment.hand.name.en !== hand.name.en) return null;
      if (moment.decision) return { at: place, ...moment.decision };
    }
    return null;
  }

  function stage(W, one, moment, plain) {
    const { h, rich } = plain;
    const said = h("p", { class: "said" }, ...rich(moment.text[lang]));
    const notes = one.notes.filter((note) => note.at >= 0 && note.at <= shown.at && shown.at < note.at + 20).map((note) => h("p", { class: "notes" }, note.note));
    if (!moment.table) { $("stage").replaceChildren(said, ...notes); return; }
    const found = decisionAt(one, shown.at), now = found && found.at === shown.at;
    const candidates = found ? found.candidates.map((each) => ({ ...each, note: each.note ? each.note[lang] : null })) : [];
    const drawer = drawing({ words: W, names: names(moment, W), decimals: found ? found.decimals : 0, unit: found ? W["unit_" + found.unit] || found.unit : "" });
    const ask = one.ask && shown.at === one.moments.length - 1 ? one.ask : null;
    const own = moment.table.turn === 0;
    const row = { table: moment.table, own_turn: own && now, candidates: now ? candidates : [], chosen: now ? found.action : null, played: null };
    const left = h("div", {}, drawer.board(row, { dealer: moment.hand.dealer, name: moment.hand.name[lang] }, false), said,
      ask ? answers(W, ask, own, drawer) : null, hand(row, ask, one, drawer), waits(W, moment.table, drawer), ...notes, ...ending(W, moment, drawer));
    const right = found ? detail(W, found, now, candidates, drawer) : [];
    $("stage").replaceChildren(h("div", { class: "two" }, left, h("div", { class: "detail" + (now ? "" : " earlier") }, ...right)));
  }

  function waits(W, table, { h, tile, pairs }) {
    if (!table.waits) return null;
    return h("p", { class: "hint" }, W.waits + " ", ...pairs(table.waits).map((name) => tile(name)), table.furiten ? " " + W.furiten : "");
  }

  function detail(W, found, now, candidates, { h, rich, fill, action, ranking, number }) {
    const head = [now ? "" : W.earlier + ": ", ...(found.mode === "human" ? [W.mode_human + ": "] : []), ...action(found.action)];
    const say = h("p", { class: "say" }, ...head, " ", h("small", {}, [W["mode_" + found.mode] && found.mode !== "human" ? W["mode_" + found.mode] : "", fill(W.took, { ms: number(found.ms, 1) })].filter(Boolean).join(" \u00b7 ")));
    const bad = W["outcome_" + found.outcome] ? [h("p", { class: "bad" }, W["outcome_" + found.outcome])] : [];
    const table = candidates.length > 1 ? ranking({ candidates, chosen: found.action, played: null, noise: found.noise, points: "" }).slice(0, found.noise ? 2 : 1) : [];
    const grounds = found.grounds[lang].length ? [h("h3", {}, W.why), h("ul", { class: "grounds" }, ...found.grounds[lang].map((text) => h("li", {}, ...rich(text))))] : [];
    return [say, ...bad, ...table, ...grounds, ...risk(W, found, { h, number })];
  }

  let open = true;
  function risk(W, found, { h, number }) {
    if (!found.danger || !found.danger.length) return [];
    const { tile } = drawing({ words: W, names: [], decimals: 0, unit: "" });
    const share = (p) => h("td", { class: "n " + (p >= .1 ? "high" : p < .0005 ? "none" : "") }, p < .0005 ? "0" : (100 * p).toFixed(1) + "%");
    const heads = [W.risk_tile, W.seat_1, W.seat_2, W.seat_3, W.risk_any, W.c_loss];
    const box = h("details", { open }, h("summary", {}, W.risk), h("div", { class: "scroll" }, h("table", { class: "risk" },
      h("thead", {}, h("tr", {}, ...heads.map((text, at) => h("th", { scope: "col", class: at ? "n" : null }, text)))),
      h("tbody", {}, ...found.danger.map((one) => h("tr", {}, h("th", { scope: "row" }, tile(one.tile)), ...one.by.map(share), share(one.any), h("td", { class: "n" }, one.any >= .0005 ? number(one.loss) : "")))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, W.risk_tenpai), ...found.tenpai.map((p) => h("td", { class: "n" }, Math.round(100 * p) + "%")), h("td"), h("td"))))));
    box.addEventListener("toggle", () => { open = box.open; });
    return [box];
  }

  function ending(W, moment, { h, number }) {
    if (!moment.end) return [];
    const end = moment.end, who = names(moment, W);
    const order = [0, 1, 2, 3].sort((one, other) => end.places[one] - end.places[other]);
    return [h("div", { class: "scroll" }, h("table", { class: "ending" },
      h("thead", {}, h("tr", {}, ...[W.place_n, W.player, W.points, W.result].map((text, at) => h("th", { scope: "col", class: at > 1 ? "n" : null }, text)))),
      h("tbody", {}, ...order.map((seat) => h("tr", { class: seat ? null : "own" }, h("td", {}, W["place_" + end.places[seat]]), h("th", { scope: "row" }, who[seat]),
        h("td", { class: "n" }, number(end.scores[seat])), h("td", { class: "n" }, end.results ? number(end.results[seat], 1) : ""))))))];
  }

  // -- a person's answers -----------------------------------------------------------------------------------------

  function answer(ask, choice) {
    const one = games.get(shown.game);
    one.ask = null;
    say({ game: one.key, do: "answer", number: ask.number, choice });
    soon();
  }

  function answers(W, ask, own, { h, action, fill }) {
    const others = ask.legal.map((one, choice) => ({ one, choice })).filter(({ one }) => one.kind !== "discard");
    const left = Math.max(0, Math.ceil((ask.until - Date.now()) / 1000));
    const box = h("div", { class: "answers", role: "group", "data-number": ask.number, "aria-label": own ? W.your_turn : W.your_call }, h("b", {}, own ? W.your_turn : W.your_call),
      ...others.map(({ one, choice }) => {
        const button = h("button", { type: "button", "data-kind": one.kind }, ...action(one));
        button.addEventListener("click", () => answer(ask, choice));
        return button;
      }),
      ask.legal.some((one) => one.kind === "discard") ? h("small", {}, W.click) : null, h("time", { id: "left" }, fill(W.seconds, { n: left })));
    return box;
  }

  function hand(row, ask, one, { held, h }) {
    const strip = held(row);
    if (!ask) return strip;
    strip.classList.add("asked");
    for (const slot of [...strip.querySelectorAll(".slot:not(.offer)")]) {
      const name = slot.querySelector(".tile").getAttribute("aria-label");
      const drawnSlot = slot.classList.contains("drawn");
      const fits = ask.legal.map((legal, choice) => ({ legal, choice })).filter(({ legal }) => legal.kind === "discard" && legal.tile === name);
      const fit = fits.find(({ legal }) => Boolean(legal.drawn) === drawnSlot);
      if (!fit) continue;
      const button = h("button", { type: "button", class: slot.className + " pick", "aria-label": name });
      button.append(...slot.childNodes);
      button.addEventListener("click", () => answer(ask, fit.choice));
      slot.replaceWith(button);
    }
    return strip;
  }

  setInterval(() => {
    const one = games.get(shown.game), left = $("left");
    if (one && one.ask && left) left.textContent = WORDS[lang].seconds.replace("{n}", Math.max(0, Math.ceil((one.ask.until - Date.now()) / 1000)));
  }, 500);

  // -- lists ------------------------------------------------------------------------------------------------------

  const once = new Map();
  /** Replaces what a part shows only if it has changed, so that buttons are not taken from under the pointer. */
  function update(id, key, make) {
    if (once.get(id) === key) return;
    once.set(id, key);
    $(id).replaceChildren(...make());
  }

  const { h, fill } = drawing({ words: WORDS.en, names: [], decimals: 0, unit: "" });

  function title(W, one) {
    const moments = games.get(one.key).moments, last = moments[moments.length - 1];
    const account = one.account || (last && last.names[0]) || W.seat_0;
    if (one.end) return fill(W.game_over, { account, place: W["place_" + one.end.places[0]] });
    if (one.over) return fill(W.game_lost, { account });
    return fill(W.game_of, { account, hand: last && last.hand ? last.hand.name[lang] : "\u2026" });
  }

  /** The button of each game by its key: kept, so that it is not taken from under the pointer when its title changes. */
  const buttons = new Map();
  function chooser(key) {
    const button = h("button", { type: "button" });
    button.addEventListener("click", () => {
      const one = run.games.find((each) => each.key === key);
      if (!one || !games.has(key)) return;
      shown.game = key; shown.follow = !one.over; shown.at = games.get(key).moments.length - 1;
      soon();
    });
    buttons.set(key, button);
    return button;
  }

  function list(W) {
    const row = run.games.filter((one) => games.has(one.key)).map((one) => {
      const button = buttons.get(one.key) ?? chooser(one.key), text = title(W, one);
      if (button.textContent !== text) button.textContent = text;
      button.setAttribute("aria-pressed", one.key === shown.game ? "true" : "false");
      return button;
    });
    const there = $("games").children;
    if (there.length === row.length && row.every((button, at) => there[at] === button)) return;
    $("games").replaceChildren(...row);
    for (const [key, button] of buttons) if (!row.includes(button)) buttons.delete(key);
  }

  function results(W) {
    const over = run.games.filter((one) => one.over && one.end);
    $("day").hidden = !run.days.length && !over.length;
    $("day-title").textContent = fill(W.results, { n: over.length });
    update("results", JSON.stringify([lang, run.days, over]), () => [...(run.days.length ? [today(W)] : []), ...(over.length ? [finished(W, over)] : [])]);
  }

  function today(W) {
    const signed = (value) => (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(1);
    const heads = [W.account, W.games, W.place_1, W.place_2, W.place_3, W.place_4, W.mean, W.sum, W.dan_points];
    return h("div", {}, h("h2", {}, W.today), h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, ...heads.map((text, at) => h("th", { scope: "col", class: at ? "n" : null }, text)))),
      h("tbody", {}, ...run.days.map((day) => h("tr", {}, h("th", { scope: "row" }, day.account),
        ...[day.games, ...day.placements, day.mean_placement === null ? "" : day.mean_placement.toFixed(2), signed(day.result), signed(day.dan_points)].map((value) => h("td", { class: "n" }, String(value)))))))));
  }

  function finished(W, over) {
    return h("div", {}, h("h2", {}, W.finished), h("div", { class: "scroll" }, h("table", { id: "finished" }, h("tbody", {}, ...over.slice().reverse().map((one) =>
      h("tr", {}, h("th", { scope: "row" }, one.account || "\u2014"), h("td", {}, W["place_" + one.end.places[0]]), h("td", { class: "n" }, one.end.scores[0].toLocaleString("en-US")), h("td", {}, review(W, one))))))));
  }

  function review(W, one) {
    if (!one.record) return "";
    if (one.review === "ready") return h("a", { href: `review/${one.key}`, target: "_blank", rel: "noopener" }, W.review);
    if (one.review === "making") return W.making;
    const button = h("button", { type: "button" }, W.make_review);
    button.addEventListener("click", () => say({ game: one.key, do: "review", lang }));
    return one.review ? h("span", {}, h("small", { class: "bad" }, fill(W.no_review, { why: one.review })), " ", button) : button;
  }

  // -- moving -----------------------------------------------------------------------------------------------------

  function controls(W, one) {
    const last = one ? one.moments.length - 1 : 0, moment = one && one.moments[shown.at];
    $("place").max = Math.max(0, last);
    $("place").value = shown.at;
    $("b-follow").textContent = shown.follow ? W.pause : W.follow;
    $("b-follow").setAttribute("aria-pressed", shown.follow ? "true" : "false");
    $("where").textContent = one ? `${moment && moment.hand ? moment.hand.name[lang] + " \u00b7 " : ""}${shown.at + 1}/${last + 1}` : "";
  }

  function go(at) {
    const one = games.get(shown.game);
    if (!one || !one.moments.length) return;
    shown.at = Math.min(Math.max(at, 0), one.moments.length - 1);
    shown.follow = false;
    soon();
  }
  function find(direction, fits) {
    const one = games.get(shown.game);
    if (!one) return;
    for (let at = shown.at + direction; at >= 0 && at < one.moments.length; at += direction) {
      if (one.moments[at] && fits(one.moments[at], one.moments[at - 1])) { go(at); return; }
    }
    go(direction < 0 ? 0 : one.moments.length - 1);
  }
  const begins = (moment, before) => moment.hand && (!before || !before.hand || before.hand.name.en !== moment.hand.name.en);
  const decides = (moment) => Boolean(moment.decision);
  function follow() { shown.follow = !shown.follow; soon(); }

  const KEYS = {
    ArrowLeft: () => go(shown.at - 1), ArrowRight: () => go(shown.at + 1), p: () => find(-1, decides), n: () => find(1, decides),
    "[": () => find(-1, begins), "]": () => find(1, begins), Home: () => go(0), End: () => { shown.follow = true; soon(); }, " ": follow,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!(key in KEYS) || (key === " " && event.target.closest("button, a, summary"))) return;
    KEYS[key]();
    event.preventDefault();
  });
  for (const [id, key] of [["b-back", "ArrowLeft"], ["b-on", "ArrowRight"], ["b-hand-back", "["], ["b-hand-on", "]"], ["b-follow", " "]]) {
    $(id).addEventListener("click", () => KEYS[key]());
  }
  $("place").addEventListener("input", () => go(Number($("place").value)));

  function speak() {
    document.documentElement.lang = lang;
    const W = WORDS[lang];
    document.title = W.title + " \u00b7 Oshihiki";
    for (const node of document.querySelectorAll("[data-word]")) node.textContent = W[node.dataset.word];
    for (const node of document.querySelectorAll("[data-label]")) { node.setAttribute("aria-label", W[node.dataset.label]); node.title = W[node.dataset.label]; }
    $("language").value = lang;
    once.clear();
    soon();
  }
  $("language").addEventListener("change", () => { lang = $("language").value; speak(); });
  speak();
  connect();
})();
