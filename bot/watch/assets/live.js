(() => {
  const { words: WORDS, columns } = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  let lang = new URLSearchParams(location.search).get("lang") || (navigator.language.startsWith("ja") ? "ja" : "en");
  if (!(lang in WORDS)) lang = "en";

  // -- what the program says --------------------------------------------------------------------------------------

  /** By key: the moments of a game in order, the open question, the messages. */
  let games = new Map();
  /** What the program sends: `games`, or after a new connection what replaces them once it is whole. */
  let incoming = games;
  let run = { games: [], days: [] };
  let state = "lost", drawn = false, whole = false;
  /** What is on the screen: the key of a game, the index of a moment, and whether to go on with the newest. A game that
   * `begins` is shown from its first deal on, as soon as that is here. */
  const shown = { game: null, at: 0, follow: true, looking: false, open: false, tinted: false, folded: null, revealed: null, aimed: null };

  function game(key) {
    if (!incoming.has(key)) incoming.set(key, { key, moments: [], ask: null, rest: null, notes: [], seen: -1, rows: [], placed: 0 });
    return incoming.get(key);
  }

  /** The moment in which the last hand of a game was dealt: the ends of hands before it have been seen. */
  const lastDeal = (one) => one.moments.findLastIndex((moment) => moment && moment.hand && !moment.result && !moment.end);

  function take(message) {
    if (message.run) {
      run = { ...run, ...message.run };
      return;
    }
    if (message.whole) {
      for (const [key, one] of incoming) one.seen = Math.max(lastDeal(one), games.get(key)?.seen ?? -1);
      games = incoming;
      whole = true;
      return;
    }
    const one = game(message.game);
    if ("moment" in message) one.moments[message.moment] = message;
    else if (message.decision && one.moments[message.at]) one.moments[message.at].decision = message.decision;
    else if (message.choice) { if (one.moments[message.at]) one.moments[message.at].choice = message.choice; }
    else if (message.row) one.rows.push(message.row);
    else if (message.ask) one.ask = { ...message.ask, at: message.at };
    else if (message.hint) { if (one.ask && one.ask.number === message.number) one.ask.hint = message.hint; }
    else if ("answered" in message) { if (one.ask && one.ask.number === message.answered) one.ask = null; }
    else if (message.rest) one.rest = { until: message.rest, at: message.at };
    else if (message.rested) one.rest = null;
    else if (message.note || message.clock) one.notes = [...one.notes.slice(-2), message];
  }

  let line = null;
  function connect() {
    line = door.line(`${location.pathname}live`, {
      hear: (messages) => {
        for (const message of messages) take(message);
        state = run.ended ? "ended" : "connected";
        soon();
      },
      change: (open) => {
        if (open) { incoming = games.size ? new Map() : games; ask_for(); return; }
        state = run.ended ? "ended" : "lost";
        soon();
      },
      until: () => run.ended,
    });
  }
  const say = (content) => line.say(content);

  // -- what is on the page ------------------------------------------------------------------------------------------

  /** Draws before the next frame, however many messages came; in a hidden tab, a little later. */
  function soon() {
    if (drawn) return;
    drawn = true;
    const draw = () => { drawn = false; render(); };
    if (document.hidden) setTimeout(draw, 200); else requestAnimationFrame(draw);
  }

  /** Puts the decisions of a review to the moments that show the same table. */
  function place(one) {
    if (one.placed === one.rows.length) return;
    let at = 0;
    for (const row of one.rows.slice(one.placed)) {
      const table = JSON.stringify(row.table);
      const found = one.moments.findIndex((moment, index) => index >= at && moment && moment.table && !moment.row && JSON.stringify(moment.table) === table);
      if (found < 0) continue;
      one.moments[found].row = row;
      at = found + 1;
    }
    one.placed = one.rows.length;
  }

  const listed = () => run.games.find((one) => one.key === shown.game);
  /** Whether the game on the page is played by the person who looks at it, and not looked back at. */
  const seated = () => { const one = listed(); return Boolean(one && one.person && !shown.looking); };
  /** Milliseconds for which the end of a hand stays on the page of somebody who follows. */
  const STAYS = { seated: 20000, watching: 5000 };
  let since = null;

  function choose() {
    const there = run.games.map((one) => one.key).filter((key) => games.has(key));
    const running = run.games.filter((one) => !one.over && games.has(one.key)).map((one) => one.key);
    const here = listed();
    if (wanted) reach();
    if (!games.has(shown.game)) {
      shown.game = running[0] ?? there[there.length - 1] ?? null;
      if (listed()?.log !== null && listed()) { shown.follow = false; shown.at = 0; shown.begins = shown.game; }
    }
    else if (shown.follow && here && here.over && caughtUp()) {
      const next = run.games.find((one) => !one.over && one.account === here.account && one.key > here.key && games.get(one.key)?.moments.length > 1);
      if (next) { shown.game = next.key; shown.looking = false; }
    }
    const one = games.get(shown.game), last = one ? one.moments.length - 1 : 0;
    if (one) place(one);
    if (one && shown.begins === one.key && first(one)) { shown.at = first(one); shown.begins = null; }
    if (one && (shown.follow || shown.at > last)) {
      const newest = Math.max(0, unseen(one) ?? last);
      shown.at = seated() ? pace.at(one, newest, chosen().pace) : newest;
    }
    return one;
  }

  // -- logs ---------------------------------------------------------------------------------------------------------

  /** A view of a log that has been asked for: `log`, `seat` (null: any) and the moment `at` to show of it. */
  let wanted = null;
  function open_log(log, seat, at) {
    wanted = { log, seat, at };
    if (!reach()) ask_for();
    soon();
  }
  function ask_for() {
    if (!line || !wanted) return;
    if ("log" in wanted) say({ do: "open", log: wanted.log, seat: wanted.seat });
    else if ("kept" in wanted) say({ do: "show", kept: wanted.kept, seat: wanted.seat });
  }

  /** The address may name a game that is kept, and a seat of it. */
  function route() {
    const named = /^#show=([^&]+)(?:&seat=([0-3]))?$/.exec(location.hash);
    if (!named) return;
    wanted = { kept: decodeURIComponent(named[1]), seat: named[2] ? Number(named[2]) : null };
    if (!reach()) ask_for();
  }
  window.addEventListener("hashchange", route);

  /** Shows the view that was asked for once enough of it is here; returns whether it is. */
  function reach() {
    const fits = (one) => ("kept" in wanted ? one.kept === wanted.kept : one.log === wanted.log) && (wanted.seat === null || !one.whole || one.seat === wanted.seat);
    const found = wanted && run.games.find((one) => fits(one) && games.has(one.key)), one = found && games.get(found.key);
    if (!one || one.moments.length <= (found.over ? 0 : wanted.at ?? 1)) return false;
    const live = found.log === null && !found.over;
    Object.assign(shown, { game: found.key, follow: live, looking: !live, at: wanted.at ?? 0, begins: live || wanted.at !== undefined && wanted.at !== null ? null : found.key });
    wanted = null;
    return true;
  }
  /** Where to begin: the first deal, not the empty table before it. */
  const first = (one) => Math.max(0, one.moments.findIndex((moment) => moment && moment.dealt));

  const caughtUp = () => { const one = games.get(shown.game); return !one || unseen(one) === null; };

  /** The end of a hand that has not been looked at yet; null if there is none. */
  function unseen(one) {
    const at = one.moments.findIndex((moment, index) => index > one.seen && moment && moment.result);
    if (at < 0 || !whole || !shown.follow) { since = null; return null; }
    if (!since || since.at !== at || since.key !== one.key) since = { key: one.key, at, from: Date.now() };
    if (Date.now() - since.from < STAYS[seated() ? "seated" : "watching"]) return at;
    seen(one, at);
    return unseen(one);
  }

  /** The end of a hand has been looked at: go on. */
  function seen(one, at) {
    one.seen = at;
    const more = one.moments.some((moment, index) => index > at && moment && moment.result);
    if (seated() && !more) say({ game: one.key, do: "looked" });
    soon();
  }

  function render() {
    const W = WORDS[lang], one = choose(), moment = one && one.moments[shown.at];
    const status = $("status"), live = state === "connected", seat = seated();
    status.textContent = live && !shown.follow ? W.paused : W[state];
    status.className = "badge " + (live ? (shown.follow ? "live" : "") : "late");
    status.hidden = live && (seat || Boolean(listed()?.over));
    document.body.className = `screen ${seat ? (run.hints ? "seated hinted" : "seated") : "reading"}${shown.tinted && !seat ? " tinted" : ""}${bare(one) ? " bare" : ""}`;
    list(W);
    results(W);
    controls(W, one);
    $("controls").hidden = seat;
    const drawer = drawing({ words: W, names: names(moment, W), decimals: 0, unit: "" });
    $("facts").replaceChildren(...(moment && moment.table ? facts(W, moment, drawer) : []));
    if (!moment) { empty(W, drawer); return; }
    remember(moment);
    stage(W, one, moment, drawer, seat);
  }

  /** Whether nothing is said beside a game that is over: neither a review nor what a bot thought. */
  const bare = (one) => Boolean(one && listed()?.over && !seated() && !one.rows.length && !one.moments.some((moment) => moment && moment.decision));

  const UNFINISHED = "oshihiki-unfinished";
  /** Where the person's game stood when the program last ran, if it has been started again since; empty otherwise. */
  let broken_off = null;
  /** Remembers, for this tab, where the person's game stands, so that a restart of the program can be told. */
  function remember(moment) {
    const here = listed();
    if (moment?.hand && here?.person && !here.over) sessionStorage.setItem(UNFINISHED, JSON.stringify(moment.hand.name));
    else if (here?.over) sessionStorage.removeItem(UNFINISHED);
  }

  const PANES = ["said", "felt", "detail", "waits", "wants", "answers", "mine", "over"];
  function empty(W, { h, fill }) {
    for (const id of PANES) { once.delete(id); $(id).replaceChildren(); }
    document.body.classList.add("empty");
    $("over").hidden = true;
    if (broken_off === null) { broken_off = sessionStorage.getItem(UNFINISHED) ?? ""; sessionStorage.removeItem(UNFINISHED); }
    const stood = broken_off && run.games.every((one) => one.over) ? JSON.parse(broken_off)[lang] : "";
    $("said").replaceChildren(...(stood ? [h("p", { role: "alert" }, fill(W.broken_off, { hand: stood })), $("home") && h("p", { class: "row" }, h("a", { href: `../?lang=${lang}#play` }, W.again), " · ", h("a", { href: `../?lang=${lang}#watch` }, W.its_record))].filter(Boolean)
      : [h("p", { class: "calm" }, W.waiting), whole && $("home") ? h("p", { class: "row" }, h("a", { class: "button main", href: `../?lang=${lang}#play` }, W.play_now), h("a", { class: "button", href: `../?lang=${lang}#watch` }, W.kept_games)) : null].filter(Boolean)));
  }

  const UNNAMED = ["", "NoName"];
  /** Whether the reader plays without a name, and is spoken to. */
  const you = (moment) => Boolean(moment && listed()?.person && UNNAMED.includes(moment.names[0]));
  const names = (moment, W) => (moment ? moment.names : ["", "", "", ""]).map((name, seat) => (seat === 0 && you(moment) ? W.you : name || W["seat_" + seat]));
  /** The names where the table does not show whose they are: those that several players have are told apart. */
  const called = (moment, W) => names(moment, W).map((name, seat, all) => (seat && all.indexOf(name) !== all.lastIndexOf(name) ? `${name} (${W["seat_" + seat]})` : name));

  /** What does not lie on the table: the name of the hand, the length of the game, the turn. */
  const facts = (W, moment, { h, fill }) => [h("b", {}, moment.hand.name[lang]), h("span", {}, W[moment.hanchan ? "hanchan" : "tonpu"]), h("span", {}, fill(W.turn, { turn: moment.turn }))];

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

  const drawerOf = (W, moment, found) => drawing({ words: W, columns, names: names(moment, W), strengths: (moment.strengths ?? []).map((name) => W["strength_" + name]), decimals: found ? found.decimals : 0, unit: found ? W["unit_" + found.unit] || found.unit : "" });

  function stage(W, one, moment, plain, seat) {
    const at = shown.at, ask = seat && one.ask && at === one.moments.length - 1 ? one.ask : null;
    const own = Boolean(moment.table && moment.table.turn === 0);
    if (seat && moment.end) document.body.classList.remove("hinted");
    const found = seat ? (run.hints && ask && ask.hint) || null : moment.table && !moment.row ? decisionAt(one, at) : null;
    const now = Boolean(found) && (seat || found.at === at);
    if (moment.hand && seat) sitting.begin(`${one.key}/${moment.hand.name.en}`);
    const by_itself = seat && sitting.consider(ask, own);
    if (seat) sitting.sound(`${one.key}/${at}`, moment, by_itself ? null : ask, own);
    const asked = by_itself ? null : ask, drawer = drawerOf(W, moment, found);
    update("said", JSON.stringify([lang, one.key, at, seat, one.notes.map((note) => note.at)]), () => said(W, one, at, seat, plain));
    const key_of_felt = JSON.stringify([lang, one.key, at, shown.open, moment.names]), fresh = once.get("felt") !== key_of_felt;
    update("felt", key_of_felt, () => (moment.table ? [board(moment, drawer), ...bubble(W, moment, plain)] : []));
    if (fresh && shown.follow && moment.act && moment.act.kind === "discard" && pace.factor(chosen().pace)) motion.slide($("felt").firstElementChild, moment.act.seat ? null : sitting.takeLifted());
    const row = seat ? null : moment.row ?? null;
    const key = JSON.stringify([lang, one.key, at, Boolean(row), asked && asked.number, sitting.choosing(), chosen().sort, seat, now && found.at, shown.tinted]);
    update("mine", key, () => (moment.table ? [mine(one, moment, at, asked, row ?? (now && !seat ? found : null), drawer)] : []));
    const aimed = asked && shown.aimed;
    update("waits", JSON.stringify([lang, one.key, at, aimed && [aimed, asked.number]]), () => [!moment.table ? null : aimed ? sitting.gains(W, moment.table, aimed, asked, drawer) : drawer.waits(moment.table)].filter(Boolean));
    update("answers", key, () => (asked ? [sitting.answers(W, asked, own, drawer)] : seat && moment.table ? [turn(W, moment, by_itself, plain)] : []));
    update("wants", JSON.stringify([lang, seat, sitting.wants, chosen()]), () => (seat ? sitting.switches(W) : []));
    const entry = listed();
    const state_of = [lang, one.key, found && (found.at ?? ask.number), now, seat, ask && run.hints, row && row.number, row || found ? 0 : at, entry.review, making(entry), entry.over, one.rows.length];
    update("detail", JSON.stringify(state_of), () => (row ? judged(W, row, entry, moment) : [...detail(W, found, now, seat, drawer), ...beside(W, one, moment, entry, seat, plain)]));
    over(W, one, moment, plain, seat);
    if (asked && focused !== asked.number) { focused = asked.number; sitting.focus(); }
  }
  let focused = null;

  /** The table; the winner's tiles are open at the end of a hand, and all of them where that is wanted and known. */
  function board(moment, drawer) {
    const end = moment.result, open = shown.open && moment.truth ? moment.truth.hands : [null, null, null];
    const ends = end ? (end.kind === "win" ? [1, 2, 3].map((seat) => (seat === end.seat ? end.hand : null)) : end.hands.slice(1)) : [null, null, null];
    const row = { table: moment.table, truth: { hands: open.map((text, index) => text ?? ends[index]) } };
    return drawer.board(row, { ...moment.hand, name: moment.hand.name[lang] }, true);
  }

  /** The call that a player has just spoken, at their side of the table. */
  function bubble(W, moment, { h }) {
    const act = moment.act, text = act && W["spoken_" + act.kind];
    return text ? [h("p", { class: `bubble ${act.kind} from-${act.seat}`, "aria-hidden": "true" }, text)] : [];
  }

  /** What has happened, the newest first. */
  function said(W, one, at, seat, { h, rich, fill, action }) {
    const lines = [];
    for (let place = at; place >= 0 && lines.length < 7; place -= 1) {
      const moment = one.moments[place];
      if (!moment) continue;
      lines.push(h("li", { class: place === at ? "now" : null }, ...rich(moment.text[lang])));
      if (moment.dealt) break;
    }
    const notes = one.notes.filter((note) => note.at >= 0 && note.at <= at && at < note.at + 20).map((note) => note.clock
      ? h("p", { class: "bad clock", role: "status" }, fill(W.clock_answered, { n: note.clock.seconds }) + " ", ...action(note.clock.action))
      : h("p", { class: "notes" }, note.note[lang]));
    return [h("ol", {}, ...lines), ...notes];
  }

  function turn(W, moment, by_itself, { h, fill }) {
    const who = called(moment, W), table = moment.table;
    return h("div", { class: "answers quiet" }, h("p", {}, by_itself ? W.by_itself : moment.result || moment.end ? "" : table.turn === 0 ? W.wait : fill(W.turn_of, { who: who[table.turn] })));
  }

  function mine(one, moment, at, ask, found, drawer) {
    const table = { ...moment.table };
    if (seated() && !ask && !moment.choice) table.offered = null;  // nothing is asked of the tile: it only lies in a river
    if (seated() && !chosen().sort) table.hand = sitting.unsorted(one.moments, at) || table.hand;
    const human = found && found.mode === "human", judged = Boolean(found && found.chosen);
    const candidates = !found || human ? [] : found.candidates;
    const row = { table, own_turn: table.turn === 0 && Boolean(found), candidates, chosen: judged ? found.chosen : found && !human ? found.action : null,
      played: judged ? found.played : human ? found.action : moment.choice ?? null };
    if (moment.choice && table.turn === 0) row.own_turn = true;
    const strip = drawer.held({ ...row, danger: found ? found.danger : null }, shown.tinted);
    return ask ? sitting.pickable(strip, ask) : strip;
  }

  function detail(W, found, now, seat, { h, rich, fill, action, ranking, number, dangers }) {
    if (!found) return seat && run.hints && document.body.classList.contains("hinted") ? [h("p", { class: "hint" }, one_ask() ? W.hint_coming : W.hint_none)] : [];
    const candidates = found.candidates, human = found.mode === "human";
    const head = [seat ? W.hint + ": " : now ? "" : W.earlier + ": ", ...(human ? [W.mode_human + ": "] : []), ...action(found.action)];
    const small = [W["mode_" + found.mode] && !human ? W["mode_" + found.mode] : "", seat || human ? "" : fill(W.took, { ms: number(found.ms, 1) })].filter(Boolean).join(" \u00b7 ");
    const say = h("p", { class: "say" }, ...head, " ", h("small", {}, small));
    const bad = W["outcome_" + found.outcome] ? [h("p", { class: "bad" }, W["outcome_" + found.outcome])] : [];
    const table = candidates.length > 1 ? ranking({ candidates, chosen: found.action, played: null, noise: found.noise, points: "" }).slice(0, found.noise ? 2 : 1) : [];
    const grounds = found.grounds[lang].length ? [h("h3", {}, W.grounds), h("ul", { class: "grounds" }, ...found.grounds[lang].map((text) => h("li", {}, ...rich(text))))] : [];
    return [h("div", { class: now ? null : "earlier" }, say, ...bad, ...table, ...grounds, ...kept(dangers(found, open.risks, found.tenpai)))];
  }
  /** A decision of a review as the report shows it, and the way there. */
  function judged(W, row, entry, moment) {
    const { h, judged: shown, dangers } = drawing({ words: W, columns, names: names(moment, W), decimals: row.decimals, unit: W["unit_" + row.unit] || row.unit, whose: row.whose });
    const link = h("a", { href: `review/${entry.page}?lang=${lang}#d${row.number}`, target: "_blank", rel: "noopener" }, W.in_report);
    return [...shown(row), ...kept(dangers(row, open.risks)), h("p", { class: "hint" }, link)];
  }

  /** Whether parts that fold are open: kept while the page goes on. */
  const open = { risks: true };
  function kept(box) {
    if (!box) return [];
    box.addEventListener("toggle", () => { open.risks = box.open; });
    return [box];
  }

  /** What stands beside a game that is over: what was chosen here, its review or the way to it. */
  function beside(W, one, moment, entry, seat, { h, action, fill }) {
    if (seat || !entry.over) return [];
    const chose = moment.choice ? [h("p", { class: "say" }, W.chose + ": ", ...action(moment.choice))] : [];
    const judged = one.rows.filter((row) => row.verdict === "differs").length;
    const sum = one.rows.length ? [h("p", { class: "hint" }, fill(W.reviewed, { n: one.rows.length, m: judged }))] : [];
    return [...chose, h("div", { class: "beside" }, ...sum, review(W, entry, one.rows.length ? "" : "main"))];
  }

  const one_ask = () => games.get(shown.game)?.ask;

  // -- the ends of hands and games ----------------------------------------------------------------------------------

  /** What lies over the table: how the hand or the game ended. It can be folded, to see the table. */
  function over(W, one, moment, drawer, seat) {
    const end = moment.end || moment.result, place = `${one.key}/${shown.at}`, folded = shown.folded === place;
    $("over").hidden = !end;
    $("over").classList.toggle("folded", folded);
    const entry = listed();
    const drawn_before = once.get("over");
    update("over", end ? JSON.stringify([lang, place, folded, seat, shown.follow, moment.end ? [entry.review, making(entry), entry.over, run.again] : 0]) : "", () => (end ? [panel(W, one, moment, drawer, seat, place, folded)] : []));
    if (moment.result && seat && shown.revealed !== place && drawn_before !== once.get("over")) { shown.revealed = place; motion.reveal($("over").firstElementChild, pace.factor(chosen().pace)); }
    if (end && seat && !folded && !$("over").contains(document.activeElement)) ($("over").querySelector(".main") ?? $("over").firstElementChild).focus({ preventScroll: true });
  }

  function panel(W, one, moment, drawer, seat, place, folded) {
    const { h } = drawer, draw = endings({ W, lang, who: called(moment, W), you: you(moment), drawer });
    const button = (text, act, main) => { const made = h("button", { type: "button", class: main ? "main" : null }, ...[text].flat()); made.addEventListener("click", act); return made; };
    const fold = button(folded ? W.unfold : W.fold, () => { shown.folded = folded ? null : place; soon(); });
    if (moment.end) {
      const entry = listed(), again = entry.person && run.again && run.games[run.games.length - 1] === entry;
      const doing = [entry.record && (seat || !one.rows.length) ? review(W, entry, "main") : null, again ? button(W.again, () => { shown.follow = true; shown.looking = false; say({ do: "again" }); }) : null,
        entry.person && $("home") ? h("a", { class: "button", href: `../?lang=${lang}#play` }, W.new_table) : null,
        seat ? button(W.look_back, () => { shown.looking = true; shown.follow = false; shown.at = first(one); soon(); }) : fold];
      return h("section", { class: "panel ended", role: "dialog", tabindex: -1, "data-place": place, "aria-label": W.final }, h("h2", {}, seat || entry.person ? W["you_were_" + moment.end.places[0]] : W.final), draw.game(moment.end), h("div", { class: "doing" }, ...doing.filter(Boolean)));
    }
    const goes = shown.follow ? button([W.go_on + " ", h("time", { id: "stays" }, staying())], () => seen(one, shown.at), true) : null;
    return h("section", { class: "panel", role: "dialog", tabindex: -1, "data-place": place, "aria-labelledby": "ended" }, ...draw.hand(moment.result), h("div", { class: "doing" }, ...[goes, fold].filter(Boolean)));
  }

  /** Seconds for which the end of the hand stays. */
  const staying = () => (since ? `${Math.max(0, Math.ceil((STAYS[seated() ? "seated" : "watching"] - (Date.now() - since.from)) / 1000))}` : "");

  // -- a person's answers -------------------------------------------------------------------------------------------

  function answer(ask, choice) {
    const one = games.get(shown.game);
    if (!one || one.ask !== ask) return;
    one.ask = null;
    say({ game: one.key, do: "answer", number: ask.number, choice });
    soon();
  }
  const pace = pacing({ now: () => Date.now(), wake: (left) => setTimeout(soon, left) });
  const motion = moving({ now: () => Date.now(), wait: (ms, act) => setTimeout(act, ms) });
  /** What is waited for is shown now. */
  function skip() { pace.skip(); soon(); return motion.finish(); }
  $("felt").addEventListener("pointerdown", skip);
  $("over").addEventListener("pointerdown", skip);
  /** The tile of the hand that the pointer or the focus is on, if it can be discarded. */
  function aim(event) {
    const pick = event.type === "pointerleave" ? null : event.target.closest("#mine .pick"), name = pick && pick.getAttribute("aria-label");
    if (name === shown.aimed) return;
    shown.aimed = name;
    soon();
  }
  for (const type of ["pointerover", "pointerleave", "focusin"]) $("mine").addEventListener(type, aim);
  /** What the person has chosen, as the program remembers it. */
  const chosen = () => ({ sort: run.sort ?? true, sound: run.sound ?? false, hints: run.hints ?? null, pace: run.pace ?? "normal" });
  /** Changes a choice: the next pace, the opposite of anything else. */
  function change(what) {
    const at = pace.paces.indexOf(chosen().pace), wanted = what === "pace" ? pace.paces[(at + 1) % pace.paces.length] : !chosen()[what];
    run[what] = wanted;
    say({ do: "choose", what, wanted });
  }
  const sitting = seating({ send: answer, redraw: soon, chosen, choose: change });

  /** Minutes and seconds, as a clock shows them. */
  const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  /** Seconds from which the clock of an answer is red and beats. */
  const LOW = 5;
  setInterval(() => {
    const one = games.get(shown.game), left = $("left"), stays = $("stays");
    if (one && one.ask && left) {
      const seconds = Math.max(0, Math.ceil((one.ask.until - Date.now()) / 1000));
      left.textContent = seconds > 60 ? clock(seconds) : WORDS[lang].seconds.replace("{n}", seconds);
      left.classList.toggle("low", seconds <= LOW);
    }
    if (stays) stays.textContent = staying();
    if (since && shown.follow) soon();
  }, 250);

  // -- lists ------------------------------------------------------------------------------------------------------

  const once = new Map();
  /** Replaces what a part shows only if it has changed, so that buttons are not taken from under the pointer. */
  function update(id, key, make) {
    if (once.get(id) === key) return;
    once.set(id, key);
    $(id).replaceChildren(...make());
  }

  const { h, fill, told } = drawing({ words: WORDS.en, names: [], decimals: 0, unit: "" });

  function title(W, one) {
    const moments = games.get(one.key).moments, last = moments[moments.length - 1];
    const own = last && last.names ? last.names[0] : "", account = one.person ? (UNNAMED.includes(own) ? W.you : own) : one.account || own || W.seat_0;
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
      shown.game = key; shown.follow = !one.over; shown.at = one.over ? first(games.get(key)) : games.get(key).moments.length - 1;
      shown.looking = one.over;
      soon();
    });
    buttons.set(key, button);
    return button;
  }

  function list(W) {
    const row = run.games.filter((one) => games.has(one.key) && one.log === null).map((one) => {
      const button = buttons.get(one.key) ?? chooser(one.key), text = title(W, one);
      if (button.textContent !== text) button.textContent = text;
      button.setAttribute("aria-pressed", one.key === shown.game ? "true" : "false");
      return button;
    });
    $("games").hidden = row.length < 2 && (seated() || !(row.length && run.logs));
    const there = $("games").children;
    if (there.length === row.length && row.every((button, at) => there[at] === button)) return;
    $("games").replaceChildren(...row);
    for (const [key, button] of buttons) if (!row.includes(button)) buttons.delete(key);
  }

  function results(W) {
    const over = run.games.filter((one) => one.over && one.end && one.log === null);
    update("results", JSON.stringify([lang, run.days, over, run.progress]), () => [...(run.days.length ? [today(W)] : []), ...(over.length ? [finished(W, over)] : [])]);
  }

  function today(W) {
    const signed = (value) => (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(1);
    const unknown = run.days.some((day) => day.unknown_place);
    const heads = [W.account, W.games, W.place_1, W.place_2, W.place_3, W.place_4, W.mean, W.sum, W.dan_points, ...(unknown ? [W.unplaced] : [])];
    return h("div", {}, h("h2", {}, W.today), h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, ...heads.map((text, at) => h("th", { scope: "col", class: at ? "n" : null }, text)))),
      h("tbody", {}, ...run.days.map((day) => h("tr", {}, h("th", { scope: "row" }, day.account),
        ...[day.games, ...day.placements, day.mean_placement === null ? "" : day.mean_placement.toFixed(2), signed(day.result), signed(day.dan_points), ...(unknown ? [day.unknown_place || ""] : [])].map((value) => h("td", { class: "n" }, String(value)))))))));
  }

  function finished(W, over) {
    return h("div", {}, h("h2", {}, W.finished), h("div", { class: "scroll" }, h("table", { id: "finished" }, h("tbody", {}, ...over.slice().reverse().map((one) =>
      h("tr", {}, h("th", { scope: "row" }, one.account || "\u2014"), h("td", {}, W["place_" + one.end.places[0]]), h("td", { class: "n" }, one.end.scores[0].toLocaleString("en-US")), h("td", {}, review(W, one))))))));
  }

  /** How far the review of a game is, as it stands behind the word for it. */
  const making = (one) => (run.progress && run.progress.game === one.key ? ` ${Math.round(100 * run.progress.at / run.progress.of)}%` : "");
  function review(W, one, kind) {
    if (!one.record) return "";
    if (one.review === "ready") return h("a", { class: kind ? "button " + kind : null, href: `review/${one.page}?lang=${lang}`, target: "_blank", rel: "noopener" }, kind ? W.open_review : W.review);
    if (one.review === "making") return h("span", { class: "making", role: "status" }, W.making + making(one));
    const button = h("button", { type: "button", class: kind }, kind ? W.review_game : W.make_review);
    button.addEventListener("click", () => say({ game: one.key, do: "review" }));
    return one.review ? h("div", {}, h("small", { class: "bad" }, ...told(W.no_review, one.why, W.original)), " ", button) : button;
  }

  // -- moving -----------------------------------------------------------------------------------------------------

  function controls(W, one) {
    const last = one ? one.moments.length - 1 : 0, moment = one && one.moments[shown.at], entry = listed();
    views(W, one, entry);
    $("place").max = Math.max(0, last);
    $("place").value = shown.at;
    const over = Boolean(entry && entry.over), on = over ? Boolean(playing_on) : shown.follow;
    $("b-follow").textContent = on ? W.pause : over ? W.play : W.follow;
    $("b-follow").setAttribute("aria-pressed", on ? "true" : "false");
    const hands = one ? one.moments.map((each, at) => (each && begins(each, one.moments[at - 1]) ? { at, name: each.hand.name[lang] } : null)).filter(Boolean) : [], here = hands.filter(({ at }) => at <= shown.at).pop();
    $("hand").hidden = hands.length < 2;
    update("hand", JSON.stringify([one && one.key, hands]), () => hands.map(({ at, name }) => h("option", { value: at }, name)));
    if (here) $("hand").value = here.at;
    $("speed").hidden = !over;
    update("speed", lang, () => [...SPEEDS.keys()].map((name) => h("option", { value: name, selected: name === speed }, `${name}\u00d7`)));
    $("where").textContent = one ? `${moment && moment.hand ? moment.hand.name[lang] + " \u00b7 " : ""}${shown.at + 1}/${last + 1}` : "";
  }

  /** The seats whose view a log has, and whether the hidden hands are open. */
  function views(W, one, entry) {
    const open = one && one.moments.some((moment) => moment && moment.truth), who = one && one.moments.find((moment) => moment && moment.table);
    const key = entry && one ? JSON.stringify([lang, entry.key, shown.open, shown.tinted, Boolean(open), who && who.names]) : "";
    update("views", key, () => {
      if (!key) return [];
      const button = (text, pressed, act, label) => { const made = h("button", { type: "button", "aria-pressed": pressed ? "true" : "false", title: label }, ...[text].flat()); made.addEventListener("click", act); return made; };
      const seats = entry.whole && who ? [0, 1, 2, 3].map((seat) => button([W["wind_short_" + seat], h("span", { class: "who" }, ` ${names(who, W)[(seat - entry.seat + 4) % 4]}`)], seat === entry.seat, () => { if (seat !== entry.seat) open_log(entry.log, seat, shown.at); }, W.view_seat)) : [];
      const tint = button(W.danger_tint, shown.tinted, () => KEYS.d(), `${W.danger_tint_hint} (d)`);
      return [...seats, tint, ...(open ? [button(W.open_hands, shown.open, () => { shown.open = !shown.open; soon(); }, W.open_hands_hint)] : [])];
    });
    const logs = run.logs ?? [];
    $("logs").hidden = logs.length < 2;
    update("logs", JSON.stringify([lang, logs]), () => logs.map((name, at) => h("option", { value: at }, name)));
    if (entry && entry.log !== null) $("logs").value = (wanted ?? entry).log;
    $("trouble").hidden = !run.trouble;
    update("trouble", run.trouble ? JSON.stringify([lang, run.trouble]) : "", () => (run.trouble ? told("{why}", run.trouble.why, W.original) : []));
  }

  /** The clock of a game that plays itself. */
  let playing_on = null, speed = "1";
  /** Milliseconds between two steps of it, by its speed. */
  const SPEEDS = new Map([["0.5", 1400], ["1", 700], ["2", 350], ["4", 175]]);
  function play_on() {
    if (playing_on) { clearInterval(playing_on); playing_on = null; soon(); return; }
    const step = () => {
      const one = games.get(shown.game);
      if (!one || shown.at >= one.moments.length - 1) { play_on(); return; }
      if (one.moments[shown.at]?.result && waited++ < 5) return;
      waited = 0;
      shown.at += 1;
      soon();
    };
    let waited = 0;
    playing_on = setInterval(step, SPEEDS.get(speed));
    soon();
  }

  function go(at) {
    if (playing_on) play_on();
    const one = games.get(shown.game);
    if (!one || !one.moments.length) return;
    shown.at = Math.min(Math.max(at, 0), one.moments.length - 1);
    shown.begins = null;
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
  const decides = (moment) => Boolean(moment.decision || moment.choice || moment.row);
  const differs = (moment) => Boolean(moment.row && moment.row.verdict === "differs");
  /** What `n` and `p` lead to: where a review differs, or without one every decision. */
  const marked = () => (games.get(shown.game)?.rows.some((row) => row.verdict === "differs") ? differs : decides);
  function follow() {
    if (listed()?.over) { shown.follow = false; play_on(); return; }
    shown.follow = !shown.follow;
    soon();
  }

  /** Keys of somebody who plays; those of the page's own buttons are left to the browser. */
  function playing(event, key) {
    const on = event.target.closest("button, a, summary");
    if (key === " " && skip()) return true;
    if (key === "?") { KEYS[key](); return true; }
    if (key === " " && on) return false;
    if (key === "Enter" || key === " " || (key === "Escape" && document.querySelector("#over:not([hidden]) #stays"))) {
      const meant = on ?? document.querySelector("#over:not([hidden]) .main");
      if (meant) meant.click();
      return Boolean(meant);
    }
    return sitting.press(key);
  }

  const KEYS = {
    ArrowLeft: () => go(shown.at - 1), ArrowRight: () => go(shown.at + 1), ArrowUp: () => find(-1, begins), ArrowDown: () => find(1, begins), p: () => find(-1, marked()), n: () => find(1, marked()),
    o: () => { shown.open = !shown.open; soon(); }, d: () => { shown.tinted = !shown.tinted; soon(); }, "?": () => $("more").showModal(), Home: () => go(0), End: () => { if (listed()?.over) go(Infinity); else { shown.follow = true; soon(); } }, " ": follow,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ($("more").open) return;
    if (seated()) { if (playing(event, key)) event.preventDefault(); return; }
    if (!(key in KEYS) || (key === " " && event.target.closest("button, a, summary"))) return;
    KEYS[key]();
    event.preventDefault();
  });
  for (const [id, key] of [["b-back", "ArrowLeft"], ["b-on", "ArrowRight"], ["b-hand-back", "ArrowUp"], ["b-hand-on", "ArrowDown"], ["b-follow", " "]]) {
    $(id).addEventListener("click", () => KEYS[key]());
  }
  $("hand").addEventListener("change", () => go(Number($("hand").value)));
  $("speed").addEventListener("change", () => { speed = $("speed").value; if (playing_on) { play_on(); play_on(); } });
  $("place").addEventListener("input", () => go(Number($("place").value)));

  $("logs").addEventListener("change", () => open_log(Number($("logs").value), null, null));
  $("b-more").addEventListener("click", () => $("more").showModal());

  function speak() {
    document.documentElement.lang = lang;
    const W = WORDS[lang];
    document.title = W.title + " \u00b7 Oshihiki";
    for (const node of document.querySelectorAll("[data-word]")) node.textContent = W[node.dataset.word];
    for (const node of document.querySelectorAll("[data-label]")) { node.setAttribute("aria-label", W[node.dataset.label]); node.title = W[node.dataset.label]; }
    $("language").value = lang;
    if ($("home")) $("home").href = `../?lang=${lang}#watch`;
    once.clear();
    soon();
  }
  $("language").addEventListener("change", () => { lang = $("language").value; speak(); });
  speak();
  route();
  connect();
})();
