(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const PLACES = ["play", "review", "practice", "watch", "results"];
  let lang = new URLSearchParams(location.search).get("lang") || (navigator.language.startsWith("ja") ? "ja" : "en");
  if (!(lang in data.words)) lang = "en";
  let W = data.words[lang];
  const { h, s, fill, told, number, percent, tile, pairs } = drawing({ words: W, names: [], decimals: 0, unit: "" });
  /** What the program has said, by name. */
  let run = {};
  /** What this page alone knows: what is being sent, what went wrong, where a click is to lead. */
  const here = { sending: "", trouble: "", going: false, chosen: false, most: 50, filter: "", place: "", order: "date", picked: null, whose: "all", against: null, beside: "" };

  // -- the program --------------------------------------------------------------------------------------------------

  let line = null;
  function connect() {
    line = door.line(`${location.pathname}live`, {
      hear: (said) => { for (const message of [said].flat()) take(message); show(); },
      change: (open) => { here.lost = !open && !run.ended; show(); },
      until: () => run.ended,
    });
  }
  const say = (content) => line.say(content);

  function take(message) {
    if (message.run) {
      const before = run.table && run.table.state;
      run = { ...run, ...message.run };
      if (run.choices && !here.chosen) choose_again(run.choices);
      if (run.choices && run.choices.theme !== $("theme").value) location.reload(); // another page has chosen other colours
      if (here.going && before !== "playing" && run.table && run.table.state === "playing") location.href = `watch/?lang=${lang}`;
    }
    if (message.trouble) { here.trouble = [W.said, message.trouble]; here.going = false; }
    if (message.go) {
      location.href = message.go + (here.hash ? `#${here.hash}` : "");
      here.hash = "";
    }
  }

  // -- small things -------------------------------------------------------------------------------------------------

  const once = new Map();
  /** Replaces what a part shows only if it has changed, so that nothing is taken from under the pointer or the focus. */
  function update(id, key, make) {
    const text = JSON.stringify([lang, key]);
    if (once.get(id) === text) return;
    once.set(id, text);
    const held = $(id).contains(document.activeElement) ? document.activeElement.dataset.keep : null;
    $(id).replaceChildren(...make().filter(Boolean));
    if (held) ([...$(id).querySelectorAll("[data-keep]")].find((each) => each.dataset.keep === held) ?? $("main")).focus({ preventScroll: true });
  }
  function button(text, act, main, keep) {
    const made = h("button", { type: "button", class: main ? "main" : null, "data-keep": keep ?? text }, text);
    made.addEventListener("click", act);
    return made;
  }
  /** Asks before something is lost; Escape and the first button leave everything as it is. */
  function sure(question, yes, act) {
    const no = h("button", { value: "", autofocus: true }, W.keep), form = h("form", { method: "dialog", class: "row" }, no, h("button", { value: "yes", class: "main" }, yes));
    const asked = h("dialog", { "aria-labelledby": "h-sure" }, h("p", { id: "h-sure" }, question), form);
    asked.addEventListener("close", () => { asked.remove(); if (asked.returnValue === "yes") act(); });
    document.body.append(asked);
    asked.showModal();
  }
  const report = (page, number) => `review/${page}?lang=${lang}` + (number ? `#d${number}` : "");
  const watched = (key, seat = null) => `watch/?lang=${lang}#show=${encodeURIComponent(key)}${seat === null ? "" : `&seat=${seat}`}`;
  const shows = (key) => h("a", { class: "button", href: watched(key) }, W.show_game);
  const link = (text, href, main) => h("a", { class: main ? "button main" : null, href }, text);
  const table = (kind, heads, rows) => h("div", { class: "scroll" }, h("table", { class: kind }, h("thead", {}, h("tr", {}, ...heads.map((text, at) => h("th", { scope: "col", class: at > (kind === "trend" ? 0 : 1) ? "n" : null }, text)))), h("tbody", {}, ...rows)));
  const cell = (content, kind) => h("td", { class: kind }, content ?? "");

  // -- play ---------------------------------------------------------------------------------------------------------

  function seat() {
    const { state, why } = run.table ?? { state: "", why: {} }, busy = state === "preparing" || state === "playing";
    $("sit").hidden = busy;
    $("h-play").textContent = busy ? W.playing : W.play_title;
    update("seat", [state, why, run.ready], () => {
      if (state === "preparing") return making_ready(run.ready);
      if (state !== "playing") return why.en ? [h("div", { class: "notice" }, ...told("{why}", why, W.original))] : [];
      const leave = button(W.leave, () => sure(W.leave_sure, W.leave, () => say({ do: "leave" })));
      return [h("p", { class: "row" }, link(W.to_table, `watch/?lang=${lang}`, true), leave)];
    });
  }
  /** What is being made ready for the table, and how far that is. */
  function making_ready(step) {
    const doing = step && step.of !== null ? fill(W["ready_" + step.doing], { what: W["need_" + step.what] ?? step.what, n: step.left }) : W.preparing;
    return [h("p", { class: "calm" }, doing), h("progress", { "aria-label": W.preparing, max: step?.of ?? null, value: step && step.of !== null ? step.at : null })];
  }
  /** Begins with what was chosen last; the address of the page may name another table, and another language. */
  function choose_again(choices) {
    here.chosen = true;
    const named = new URLSearchParams(location.search);
    for (const id of ["against", "length", "clock", "name"]) {
      $(id).value = named.get(id) ?? choices[id];
      if (id !== "name" && !$(id).value) $(id).value = choices[id];
    }
    $("hints").checked = choices.hints;
    $("theme").value = choices.theme;
    if (choices.lang && choices.lang !== lang && !new URLSearchParams(location.search).has("lang")) { lang = choices.lang; once.clear(); speak(); }
  }
  $("sit").addEventListener("submit", (event) => {
    event.preventDefault();
    here.going = true;
    here.trouble = "";
    say({ do: "play", against: $("against").value, length: $("length").value, clock: $("clock").value, name: $("name").value, hints: $("hints").checked });
  });

  // -- what is dropped ----------------------------------------------------------------------------------------------

  const LARGEST = 64 << 20, PIECE = 1 << 16;
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const sends = [];
  let busy = false;

  /** Sends files one after another, each in pieces; what is dropped meanwhile follows. */
  async function send(files) {
    sends.push(...files);
    if (busy) return;
    busy = true;
    here.trouble = "";
    while (sends.length) {
      const line = new WebSocket(`ws://${location.host}${location.pathname}drop/live`);
      line.binaryType = "arraybuffer";
      try {
        await new Promise((done, fail) => { line.addEventListener("open", done); line.addEventListener("error", fail); });
        await pour(line);
      } catch { here.trouble = here.trouble || W.lost; sends.length = 0; }
      line.close();
    }
    busy = false;
    here.sending = "";
    show();
  }
  async function pour(line) {
    let total = 0;
    const ended = new Promise((done) => line.addEventListener("close", ({ code }) => done(code)));
    while (sends.length && line.readyState === WebSocket.OPEN) {
      const file = sends[0];
      if (file.size > LARGEST) { here.trouble = fill(W.too_large, { name: file.name }); sends.shift(); continue; }
      if (total + file.size > LARGEST) break;
      sends.shift();
      total += file.size;
      here.sending = file.name;
      show();
      line.send(JSON.stringify({ name: file.name, size: file.size }));
      for (let at = 0; at < file.size && line.readyState === WebSocket.OPEN; at += PIECE) {
        line.send(await file.slice(at, at + PIECE).arrayBuffer());
        while (line.bufferedAmount > 16 * PIECE) await sleep(5);
      }
    }
    if (line.readyState === WebSocket.OPEN) line.send(JSON.stringify({ end: true }));
    if (await ended === 1006) throw new Error("cut off");
  }

  /** The files of what was dropped, those in folders too. */
  async function filesOf(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
    if (!entries.length) return [...transfer.files];
    const found = [];
    async function walk(entry) {
      if (found.length >= 2000) return;
      if (entry.isFile) { found.push(await new Promise((done, fail) => entry.file(done, fail))); return; }
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, fail) => reader.readEntries(done, fail));
        if (!some.length) return;
        for (const each of some) await walk(each);
      }
    }
    for (const entry of entries) await walk(entry);
    return found;
  }
  document.addEventListener("dragover", (event) => { event.preventDefault(); $("drop").classList.add("over"); });
  document.addEventListener("dragleave", () => $("drop").classList.remove("over"));
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    $("drop").classList.remove("over");
    const text = event.dataTransfer.getData("text/plain"), files = await filesOf(event.dataTransfer);
    if (at() !== "watch") location.hash = "review";
    if (files.length) send(files);
    else if (text) send([new File([text], "text")]);
  });
  for (const id of ["files", "folder"]) $(id).addEventListener("change", () => { send([...$(id).files]); $(id).value = ""; });
  $("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = $("text").value.trim();
    if (text) send([new File([text], "text")]);
    $("text").value = "";
  });

  // -- review -------------------------------------------------------------------------------------------------------

  const review = (one, seat) => say({ do: "review", key: one.key, seat });

  function found() {
    const dropped = run.dropped ?? { games: [], errors: [], missing: [], left_out: 0 };
    const reading = run.reading ? fill(W.reading, { name: run.reading }) : here.sending ? fill(W.sending, { name: here.sending }) : "";
    update("reading", reading, () => (reading ? [h("p", { class: "calm" }, reading), h("progress", { "aria-label": reading })] : []));
    update("found", [dropped, run.me], () => [missing(dropped), errors(dropped), games(dropped)]);
  }

  function games({ games: list }) {
    if (!list.length) return null;
    const several = list.length > 1, counts = new Map();
    for (const one of list) for (const name of new Set(one.only ? [one.names[one.seat]] : one.names)) counts.set(name, (counts.get(name) ?? 0) + 1);
    const often = [...counts].filter(([name, count]) => name && name !== "NoName" && count > 1).sort((one, other) => other[1] - one[1]).slice(0, 6);
    const first = several ? often.map(([name, n]) => button(fill(W.review_all, { name, n }), () => say({ do: "review", name }), name === run.me || n === list.length)) : [];
    return h("section", { class: "card", "aria-labelledby": "h-found" }, h("h2", { id: "h-found" }, fill(W.found, { n: list.length })), h("p", {}, W.who), first.length ? h("p", { class: "row" }, ...first) : null,
      h("ul", { class: "plain" }, ...list.slice(0, 100).map((one) => h("li", { class: "row" }, h("span", { class: "title" }, one.title), ...seats(one), ...one.names.filter((name) => name && counts.get(name) === list.length && list.length > 1).map(me), shows(one.key)))),
      h("p", { class: "row" }, button(W.clear, () => say({ do: "clear" }))));
  }
  /** The name of a player; the wind of the first hand tells those apart whose names do not. */
  const named = ({ called }, seat) => (called[seat] && called.filter((each) => each === called[seat]).length === 1 ? called[seat] : `${called[seat]} ${W["wind_short_" + seat]}`.trim());
  function seats(one) {
    const chosen = one.seat ?? (one.names.filter((name) => name === run.me).length === 1 ? one.names.indexOf(run.me) : null);
    return [0, 1, 2, 3].filter((seat) => seat < one.names.length && (!one.only || seat === one.seat))
      .map((seat) => button(fill(W.review_seat, { name: named(one, seat) }), () => review(one, one.only ? null : seat), seat === chosen, `review ${one.key} ${seat}`));
  }
  function missing({ missing: ids }) {
    if (!ids.length) return null;
    const where = ids.length === 1 ? data.address.replace("ID", ids[0]) : data.address;
    return h("section", { class: "card", "aria-labelledby": "h-missing" }, h("h2", { id: "h-missing" }, fill(W.missing, { n: ids.length })), h("p", {}, fill(W.fetch_says, { n: ids.length, address: where })),
      h("p", { class: "row" }, button(W.fetch, () => say({ do: "fetch" }), true), button(W.clear, () => say({ do: "clear" }))));
  }
  function errors({ errors: list, left_out: more }) {
    if (!list.length) return null;
    return h("div", { class: "notice", role: "alert" }, h("p", {}, h("b", {}, W.unread)), ...list.map((why) => h("div", { class: "unread" }, ...told("{why}", why, W.original))), more ? h("p", {}, fill(W.left_out, { n: more })) : null, button(W.clear, () => say({ do: "clear" }), false, "clear errors"));
  }

  function jobs() {
    const list = run.jobs ?? [], running = list.some((job) => job.state === "waiting" || job.state === "making");
    const last = list.filter((job) => job.state === "ready").pop(), shown = list.filter((job) => job.state !== "ready" || job === last); // the others are in the list below
    update("jobs", shown, () => (shown.length ? [h("section", { class: "card", "aria-labelledby": "h-jobs" }, h("h2", { id: "h-jobs" }, running ? W.jobs : W.jobs_done), h("ul", { class: "plain" }, ...shown.slice(-20).reverse().map((job) => h("li", { class: "row" }, h("span", { class: "title" }, ...whose_job(job)), state(job)))))] : []));
    const done = list.filter((job) => job.state === "ready").length;
    if (here.done !== undefined && done > here.done && !running) $("jobs").querySelector("a")?.focus();
    here.done = done;
  }
  /** What a review is called while it is made: the player and the place, then the others. */
  function whose_job(job) {
    if (!job.called) return [job.key];
    const one = (seat) => named(job, seat) + (job.places ? " " + W["place_" + job.places[seat]] : ""), others = [...job.called.keys()].filter((seat) => seat !== job.seat);
    return [job.seat === null ? null : h("b", {}, one(job.seat)), " ", h("small", {}, others.map(one).join(", "))];
  }
  function state(job) {
    if (job.state === "ready") return link(W.open_review, report(job.page), true);
    if (job.state === "waiting") return h("span", { class: "hint" }, W.waiting);
    if (job.state !== "making") return h("div", { class: "loss" }, ...told(W.no_review, job.why, W.original));
    return h("progress", { "aria-label": W.making, max: job.of || null, value: job.of ? job.at : null });
  }

  function reviews() {
    const list = run.reviews ?? [], sums = run.sums;
    update("reviews", [list, sums, run.failed, run.choices?.me, here.most, here.filter, here.place, here.order], () => {
      if (!list.length) return [h("p", { class: "calm" }, W.no_reviews), failed()];
      return [h("h2", {}, W.reviews), filter(), listed(list), failed(), habits(sums)];
    });
  }
  function failed() {
    if (!run.failed || !run.failed.length) return null;
    return h("div", { class: "hint" }, h("p", {}, fill(W.failed, { n: run.failed.length })), h("ul", {}, ...run.failed.slice(0, 20).map((name) => h("li", {}, name))));
  }
  function filter() {
    const text = h("input", { type: "search", value: here.filter, "aria-label": W.filter, placeholder: W.filter, "data-keep": "filter" });
    text.addEventListener("change", () => { here.filter = text.value; show(); });
    text.addEventListener("input", () => { here.filter = text.value; clearTimeout(filter.later); filter.later = setTimeout(show, 150); });
    const choose = (name, choices) => {
      const made = h("select", { "aria-label": choices[0][1], "data-keep": name }, ...choices.map(([value, label]) => h("option", { value, selected: here[name] === value }, label)));
      made.addEventListener("change", () => { here[name] = made.value; show(); });
      return made;
    };
    return h("div", { class: "filter" }, text, choose("place", [["", W.any_place], ...[1, 2, 3, 4].map((place) => [String(place), W["place_" + place]])]),
      choose("order", [["date", W.by_date], ["worst", W.by_worst], ["lost", W.by_lost]]), button(W.all, () => say({ do: "all", lang })));
  }
  const ORDER = { date: () => 0, worst: (one, other) => (other.worst?.loss ?? 0) - (one.worst?.loss ?? 0), lost: (one, other) => (one.lost ?? Infinity) - (other.lost ?? Infinity) };
  function listed(list) {
    const text = here.filter.toLowerCase();
    const fits = list.filter((one) => (!here.place || String(one.place) === here.place) && (!text || [one.date, ...one.names].some((each) => each.toLowerCase().includes(text)))).sort(ORDER[here.order]);
    // while nobody has been said to be oneself, each name asks so once
    const shown = fits.slice(0, here.most), asks = new Set(run.choices?.me.length ? [] : shown.filter((one, at) => shown.findIndex((other) => other.names[0] === one.names[0]) === at));
    const rows = shown.map((one) => h("tr", {}, h("th", { scope: "row" }, link(one.date || W.no_day, report(one.page))), cell(h("span", {}, h("b", {}, NAMELESS.includes(one.names[0]) && by_person(one) ? W.you : one.called[0] || "\u2014"), " ", asks.has(one) ? me(one.names[0]) : null, " ", h("small", {}, players(one, [1, 2, 3]))), "who"),
      cell(one.place ? W["place_" + one.place] : "", "n"), h("td", { class: "n", "data-head": W.h_lost }, one.lost === null ? "" : number(one.lost)),
      cell(one.worst ? link(`${hand(one.worst.hand)} \u2212${number(one.worst.loss)}`, report(one.page, one.worst.number)) : "", "n"), cell(h("span", { class: "acts" }, one.log ? shows(one.log) : null, remove(one)), "n")));
    const more = fits.length > here.most ? button(W.more, () => { here.most += 100; show(); }) : null;
    return h("div", {}, table("reviews", [W.h_date, W.h_players, W.h_place, W.h_lost, W.h_worst, W.h_game], rows), more);
  }
  /** Whether the game of a review was played here by a person. */
  const by_person = (one) => (run.games ?? []).some((game) => game.person && game.key === one.log);
  function remove(one) {
    const which = [one.date, ...one.called].filter(Boolean).join(", "), made = button(W.remove, () => sure(fill(W.remove_sure, { which }), W.remove, () => say({ do: "delete", page: one.page })), false, "delete " + one.page);
    made.setAttribute("aria-label", `${W.remove}: ${which}`);
    return made;
  }
  /** The name of a hand: the letter of its wind, its number, and after a dash its honba. */
  const hand = (name) => name.replace(/^([ESWN])(\d)(?:-(\d+))?$/, (_, wind, n, honba) => fill(W[honba ? "hand_honba" : "hand_name"], { wind: W["wind_short_" + "ESWN".indexOf(wind)], n, honba }));
  function habits(sums) {
    if (!sums || !sums.habits.length) return null;
    return h("section", { "aria-labelledby": "h-habits" }, h("h2", { id: "h-habits" }, W.habits), h("ul", { class: "plain open habits" }, ...sums.habits.map((one) => h("li", {}, habit(one)))));
  }
  function habit(one) {
    const said = fill(W.habit_line, { kind: W["habit_" + one.kind] ?? one.kind, situation: W["sit_" + one.situation] ?? one.situation });
    const made = button("", () => { here.hash = `habit-${one.kind}-${one.situation}`; say({ do: "all", lang }); }, false, said);
    made.replaceChildren(h("span", {}, said), h("small", {}, fill(W.habit_count, { n: one.count })), h("span", { class: "n" }, "\u2212" + number(one.lost)));
    return made;
  }

  // -- practice, watch ----------------------------------------------------------------------------------------------

  /** What to do where nothing is yet: play, or have a game reviewed. */
  const ways = () => h("p", { class: "row ways" }, h("a", { class: "button main", href: "#play" }, W.sit), h("a", { class: "button", href: "#review" }, W.review_title));
  /** How far practice is: what is due, or when something will be. */
  const due = (one) => (one.due + one.new > 0 ? fill(W.due_now, { due: one.due, fresh: one.new, all: one.questions }) : fill(W.due_later, { when: new Date(one.next_due).toLocaleString(lang) }));
  function practice() {
    const one = run.practice;
    update("due", one, () => {
      if (one && one.why.en) return [h("div", { class: "notice", role: "alert" }, ...told("{why}", one.why, W.original))];
      if (!one || !one.questions) return [h("p", { class: "calm" }, W.nothing), ways()];
      return [h("div", { class: "hero" }, one.shown ? h("div", { class: "mini", "aria-hidden": "true" }, table_of(one.shown)) : null, h("div", { class: "down" }, h("p", { class: "calm" }, due(one)), ...(one.shown ? [h("p", { class: "ask" }, one.shown.own_turn ? W.ask_turn : W.ask_call), hand_of(one.shown)] : []),
        h("p", { class: "row" }, link(W.start, `practice/?lang=${lang}`, true)), one.asked ? h("p", { class: "calm" }, fill(W.answered, { n: one.asked, missed: one.missed })) : null))];
    });
  }

  function watch() {
    const games = run.games ?? [];
    update("games", [games, run.table, run.me, run.counted], () => {
      const list = (title, id, rows) => (rows.length ? h("section", { "aria-labelledby": id }, h("h2", { id }, title), h("ul", { class: "plain open games" }, ...rows.map((one) => h("li", {}, opener(one))))) : null);
      const live = run.table && run.table.state === "playing" ? h("p", { class: "row" }, link(W.to_table, `watch/?lang=${lang}`, true)) : null;
      return games.length ? [live, list(W.your_games, "h-own", games.filter((one) => one.own !== null)), list(W.logs, "h-logs", games.filter((one) => one.own === null))] : [live, h("p", { class: "calm" }, run.counted ? W.no_games : W.reading_games), run.counted ? ways() : null];
    });
  }
  const NAMELESS = ["", "NoName"];
  const called = (one, seat) => (one.person && one.own === seat && NAMELESS.includes(one.names[seat]) ? W.you : NAMELESS.includes(one.names[seat]) ? W["wind_" + seat] : one.called[seat]);
  /** Some players of a game; how strong built-in ones are stands behind them, once if that is the same of all. */
  function players(one, seats) {
    const strong = [...new Set(one.strengths.filter(Boolean))], word = (seat) => (strong.length > 1 && one.strengths[seat] ? ` (${W["strength_" + one.strengths[seat]]})` : "");
    return seats.map((seat) => called(one, seat) + word(seat)).join(", ") + (strong.length === 1 && seats.some((seat) => one.strengths[seat]) ? ` \u00b7 ${W["strength_" + strong[0]]}` : "");
  }
  /** A moment as a list shows it: the day and the minute, as far as they are known. */
  const day = (at) => { if (!at) return W.no_day; const when = new Date(at.length > 10 ? at : at + "T12:00"); return at.length > 10 ? when.toLocaleString(lang, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }) : when.toLocaleDateString(lang, { year: "numeric", month: "short", day: "numeric" }); };
  const placed = (place) => (place ? h("b", { class: "p" + place }, W["place_" + place]) : h("span", {}, "\u2014"));
  function opener(one) {
    const seats = [0, 1, 2, 3], mine = seat_of(one, "me"), order = one.places ? [...seats].sort((two, other) => one.places[two] - one.places[other]) : seats;
    const made = h("a", { href: watched(one.key, mine), "data-keep": one.key }, h("span", { class: "when" }, day(one.at)), h("span", { class: "who" }, players(one, order)),
      one.running ? h("span", { class: "running" }, W.running) : mine === null || !one.places ? null : placed(one.places[mine]));
    return made;
  }

  // -- whose ----------------------------------------------------------------------------------------------------------

  const is_me = (name) => Boolean(name && run.choices && (run.choices.me.includes(name) || (run.choices.me.length && run.choices.name === name)));
  /** The seat of somebody in a game: of `me`, or of a name; null if that player is not in it, or is there twice. */
  function seat_of(one, whose) {
    if (whose === "me" && one.person) return one.own;
    const seats = [0, 1, 2, 3].filter((seat) => (whose === "me" ? is_me(one.names[seat]) : one.names[seat] === whose) && (one.own === null || one.own === seat));
    return seats.length === 1 ? seats[0] : null;
  }
  /** A button by which a name is said to be one's own, or not to be. */
  function me(name) {
    if (NAMELESS.includes(name)) return null;
    const own = Boolean(run.choices && run.choices.me.includes(name)), made = h("button", { type: "button", class: "me", "aria-pressed": own ? "true" : "false", "data-keep": "me " + name, title: own ? fill(W.not_me, { name }) : fill(W.this_is_me, { name }) }, own ? `${name} \u00d7` : W.is_me);
    made.addEventListener("click", () => { if (!own && here.picked === name) here.picked = "me"; say({ do: "me", name, wanted: !own }); });
    return made;
  }

  // -- results ---------------------------------------------------------------------------------------------------------

  const AT = Object.fromEntries(data.figures.map((name, at) => [name, at]));
  /** What stands in the sheet, a line each: what is summed and over what, by the seat of a game; whether less is better. */
  const LINES = [["win", "wins", "hands"], ["deal_in", "deal_ins", "hands", true], ["riichi", "riichi", "hands"], ["call", "called", "hands"], ["mean_win", "won", "wins"], ["mean_deal_in", "paid", "deal_ins", true], ["tenpai", "tenpai", "drawn"]];
  /** The least and the most that a line shows; if a figure lies beyond, the next round one. */
  const RANGE = { win: [.1, .3], deal_in: [.05, .2], riichi: [.1, .3], call: [.2, .5], mean_win: [4000, 8000], mean_deal_in: [3000, 7000], tenpai: [.3, .6] };
  const scale = (key, figures) => { const round = key.startsWith("mean_") ? 1000 : .05, tidy = (value) => Math.round(value * round * 1e4) / 1e4; return [tidy(Math.max(0, Math.min(RANGE[key][0] / round, ...figures.map((one) => Math.floor(one / round + 1e-9))))), tidy(Math.max(RANGE[key][1] / round, ...figures.map((one) => Math.ceil(one / round - 1e-9))))]; };
  const FEWEST = 20;
  /** A ratio of sums over games, and half of its 95% interval; the games vary, and not the single hands. */
  function ratio(parts) {
    const under = parts.reduce((sum, [, below]) => sum + below, 0), mean = parts.reduce((sum, [above]) => sum + above, 0) / under, n = parts.length;
    if (!under) return null;
    const off = parts.reduce((sum, [above, below]) => sum + (above - mean * below) ** 2, 0);
    return { mean, within: n >= FEWEST ? 1.96 * Math.sqrt(off * n / (n - 1)) / under : null };
  }

  /** The games of whoever is chosen, oldest first: the seat, the counts, the place, and what a review says. */
  function played() {
    const reviews = new Map((run.reviews ?? []).map((one) => [`${one.log}\u0000${one.names[0]}`, one])), found = [];
    for (const one of run.games ?? []) {
      const seats = here.whose === "all" ? (one.own === null ? [0, 1, 2, 3] : [one.own]) : [seat_of(one, here.whose)];
      for (const seat of seats) if (seat !== null && one.seats) found.push({ ...one, seat, counts: one.seats[seat], place: one.places && one.places[seat], review: reviews.get(`${one.key}\u0000${one.names[seat]}`) });
    }
    const known = new Set(found.map((one) => one.review?.page)), wanted = (one) => here.whose === "all" || (here.whose === "me" ? is_me(one.names[0]) : one.names[0] === here.whose);
    for (const one of run.reviews ?? []) if (!known.has(one.page) && wanted(one) && !(run.games ?? []).some((game) => game.key === one.log)) found.push({ key: one.page, at: one.date, order: one.order, names: one.names, called: one.called, strengths: one.strengths, seat: 0, counts: null, place: one.place, points: one.points === null ? null : [one.points], hanchan: one.hanchan, review: one, own: null });
    return found.sort((one, other) => (one.order < other.order ? -1 : one.order > other.order ? 1 : 0));
  }
  const sheet = (games) => Object.fromEntries(LINES.map(([key, above, below]) => [key, ratio(games.filter((one) => one.counts).map(({ counts }) => [counts[AT[above]], counts[AT[below]]]))]));

  function results() {
    const names = new Map();
    for (const one of run.games ?? []) for (const name of new Set(one.own === null ? one.names : [one.names[one.own]])) if (!NAMELESS.includes(name) && !is_me(name)) names.set(name, (names.get(name) ?? 0) + 1);
    for (const one of run.reviews ?? []) if (!names.has(one.names[0]) && !NAMELESS.includes(one.names[0]) && !is_me(one.names[0])) names.set(one.names[0], 1);
    const known = Boolean(run.choices?.me.length) || (run.games ?? []).some((one) => one.person), often = [...names].sort((one, other) => other[1] - one[1]).slice(0, 50);
    if (here.picked === null || (here.picked === "me" && !known)) here.whose = known && !run.choices?.everyone ? "me" : "all";
    else here.whose = here.picked;
    const whose = here.whose;
    choice("whose", [...(known ? [["me", W.me]] : []), ["all", W.everyone], ...often.map(([name, n]) => [name, `${name} (${n})`])], whose);
    const games = played(), long = 2 * games.filter((one) => one.hanchan).length >= games.length, rooms = Object.keys(data.rooms);
    here.beside = here.against ?? (long ? "phoenix_hanchan" : "phoenix_tonpu");
    choice("beside", [...rooms.map((room) => [room, W["room_" + room]]), ["earlier", W.earlier]], here.beside);
    update("mine", [whose, run.choices?.me], () => (whose === "all" ? [] : whose === "me" ? (run.choices?.me ?? []).map((name) => me(name)) : [me(whose)]));
    update("sums", [games.map((one) => [one.key, one.seat, one.place, one.counts, one.review?.lost]), run.results, run.sums, here.whose, here.beside, run.counted, run.choices?.me, innerWidth < 760], () => {
      if (!games.length && !(run.results ?? []).length) return [h("p", { class: "calm" }, !run.counted ? W.reading_games : whose === "all" ? W.no_games : W.no_results), run.counted ? ways() : null];
      const earlier = here.beside === "earlier" ? sheet(games.slice(0, games.length >> 1)) : null, own = sheet(earlier ? games.slice(games.length >> 1) : games);
      const beside = earlier ? Object.fromEntries(Object.entries(earlier).map(([key, one]) => [key, one && one.mean])) : data.rooms[here.beside];
      return [games.length ? rates(own, beside) : null, games.length ? places(games) : null, ...plots(games), listing(games), luck(run.sums), run.results?.length ? of_accounts(run.results) : null];
    });
    const hands = games.reduce((sum, one) => sum + (one.counts ? one.counts[AT.hands] : 0), 0);
    $("counted").textContent = games.length ? fill(W.counted, { n: games.length, hands: number(hands), since: day(games.find((one) => one.at)?.at.slice(0, 10)) }) + (run.counted ? "" : " " + W.counting) : "";
  }
  function choice(id, options, chosen) {
    update(id, [options, chosen], () => options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));
    if ($(id).value !== chosen) $(id).value = chosen;
  }
  for (const id of ["whose", "beside"]) {
    $(id).addEventListener("change", () => {
      if (id === "whose") here.picked = $(id).value; else here.against = $(id).value;
      if (id === "whose" && ["me", "all"].includes(here.picked)) say({ do: "everyone", wanted: here.picked === "all" });
      show();
    });
  }

  const card = (id, title, small, ...content) => h("section", { class: "card c-" + id, "aria-labelledby": "h-" + id }, h("header", {}, h("h2", { id: "h-" + id }, title), small ? h("small", {}, small) : null), ...content);
  const written = (key, value) => (value === null || value === undefined || Number.isNaN(value) ? "\u2014" : key.startsWith("mean_") ? number(value) : percent(value, 1));
  function rates(own, beside) {
    const lines = LINES.map(([key, , , less]) => {
      const one = own[key], room = beside?.[key], sure = one && one.within !== null && room ? Math.abs(one.mean - room) > one.within : false;
      const better = sure && (key === "riichi" || key === "call" ? false : less ? one.mean < room : one.mean > room);
      const [from, to] = scale(key, [...(one ? [one.mean - (one.within ?? 0), one.mean + (one.within ?? 0)] : []), ...(room ? [room] : [])]), end = (value) => (key.startsWith("mean_") ? number(value) : percent(value, 0)), x = (value) => `${100 * (value - from) / (to - from)}%`;
      const picture = s("svg", { "aria-hidden": true }, s("line", { class: "base", x1: "0", x2: "100%", y1: 11, y2: 11 }), one && one.within !== null ? s("line", { class: "within", x1: x(one.mean - one.within), x2: x(one.mean + one.within), y1: 11, y2: 11 }) : null,
        room ? s("line", { class: "room", x1: x(room), x2: x(room), y1: 3, y2: 19 }) : null, one ? s("circle", { cx: x(one.mean), cy: 11, r: 5.5 }) : null, s("text", { x: "0", y: 29 }, end(from)), s("text", { x: "100%", y: 29, "text-anchor": "end" }, end(to)));
      return h("div", { class: "rate" + (better ? " good" : "") }, h("span", {}, W["r_" + key]), h("b", {}, written(key, one?.mean), one && one.within !== null ? h("small", { class: "hidden" }, ` \u00b1 ${written(key, one.within)}`) : null), picture, h("small", {}, written(key, room)));
    });
    return card("rates", W.hand_by_hand, own.win && own.win.within !== null ? W.dot : fill(W.after_games, { n: FEWEST }), ...lines);
  }
  function places(games) {
    const known = games.filter((one) => one.place), n = known.length, share = (place) => known.filter((one) => one.place === place).length / (n || 1), most = Math.max(.28, ...[1, 2, 3, 4].map(share));
    const mean = ratio(known.map((one) => [one.place, 1])), half = (part) => (n >= FEWEST ? 1.96 * Math.sqrt(part * (1 - part) / n) : 0);
    const column = (place) => { const part = share(place), bar = h("i", { class: "bar p" + place }); bar.style.height = `${66 * part / most}%`; return h("div", {}, h("b", {}, percent(part, 0)), half(part) ? h("small", {}, `\u00b1 ${(100 * half(part)).toFixed(0)}`) : null, bar, h("small", {}, W["place_" + place])); };
    return card("places", W.places_title, mean ? fill(W.mean_of, { mean: mean.mean.toFixed(2) + (mean.within === null ? "" : ` \u00b1 ${mean.within.toFixed(2)}`) }) : "", n ? h("div", { class: "fours" }, ...[1, 2, 3, 4].map(column)) : h("p", { class: "calm" }, W.no_results));
  }

  /** A plot over games: a dot for each, coloured by its place, the mean of the last ones, and a level to compare with. */
  function plot(games, value, { wide, low, high, level, ticks, label, text }) {
    const small = innerWidth < 760, WIDE = small ? 340 : wide, HIGH = small ? 190 : 230, LEFT = 36, x = (at) => LEFT + 8 + at / Math.max(1, games.length - 1) * (WIDE - LEFT - 16), y = (v) => 8 + (high - Math.min(high, Math.max(low, v))) / (high - low) * (HIGH - 32);
    const means = games.map((_, at) => { const last = games.slice(Math.max(0, at - 14), at + 1); return last.reduce((sum, one) => sum + value(one), 0) / last.length; });
    const svg = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": label }, ...ticks.map((v) => s("g", {}, s("line", { class: "grid", x1: LEFT, x2: WIDE, y1: y(v), y2: y(v) }), s("text", { x: LEFT - 6, y: y(v) + 4, "text-anchor": "end" }, text(v)))),
      level === null ? null : s("line", { class: "level", x1: LEFT, x2: WIDE, y1: y(level), y2: y(level) }), ...games.map((one, at) => s("circle", { class: "game p" + (one.place ?? 0), cx: x(at), cy: y(value(one)), r: games.length > 200 ? 2 : 3.2 })),
      games.length > 4 ? s("polyline", { class: "mean", points: means.map((v, at) => `${x(at).toFixed(1)},${y(v).toFixed(1)}`).slice(4).join(" ") }) : null, s("text", { x: LEFT + 8, y: HIGH - 4 }, "1"), games.length > 1 ? s("text", { x: WIDE - 4, y: HIGH - 4, "text-anchor": "end" }, String(games.length)) : null);
    return svg;
  }
  function plots(games) {
    const judged = games.filter((one) => one.review && one.review.lost !== null && one.review.unit === "points"), placed = games.filter((one) => one.place), found = [];
    const legend = (...more) => h("p", { class: "legend" }, ...[1, 2, 3, 4].map((place) => h("span", {}, h("i", { class: "p" + place }), W["place_" + place])), ...more.filter(Boolean).map(([kind, label]) => h("span", {}, h("i", { class: kind }), label)));
    if (judged.length > 1) {
      const level = Object.values(run.sums?.reference ?? {})[0]?.mean ?? null, top = Math.max(level ?? 0, ...judged.map((one) => one.review.lost)), step = [500, 1000, 2000, 5000, 10000, 20000, 50000].find((each) => top / each <= 5) ?? 100000, high = Math.ceil(top / step) * step || 1;
      found.push(card("loss", W.loss_title, W.lower, plot(judged, (one) => one.review.lost, { wide: 740, low: 0, high, level, label: W.loss_title, ticks: Array.from({ length: high / step + 1 }, (_, at) => at * step), text: (v) => (v % 1000 ? number(v) : `${v / 1000}k`) }), legend(["line", W.mean_line], level === null ? null : ["level", W.room_line])));
    }
    if (placed.length > 1) found.push(card("over", W.place_title, W.higher, plot(placed, (one) => -one.place, { wide: 520, low: -4, high: -1, level: -2.5, label: W.place_title, ticks: [-1, -2, -3, -4], text: (v) => W["place_" + -v] }), legend(["line", W.mean_line], ["level", W.even_line])));
    return found;
  }
  function listing(games) {
    const rows = [...games].reverse().slice(0, here.most).map((one) => {
      const others = [0, 1, 2, 3].filter((seat) => seat !== one.seat && one.names[seat] !== undefined), who = here.whose === "all" ? [h("b", {}, called(one, one.seat)), ", ", players(one, others)] : [players(one, others)];
      const row = h("a", { href: one.review ? report(one.review.page) : watched(one.key, here.whose === "all" ? null : one.seat), "data-keep": `game ${one.key} ${one.seat}` }, h("span", { class: "when" }, day(one.at)), h("span", { class: "who" }, ...who), placed(one.place), h("span", { class: "points" }, one.points && one.points[one.seat] !== undefined ? number(one.points[one.seat]) : ""), h("span", { class: "loss" }, one.review && one.review.lost !== null ? "\u2212" + number(one.review.lost) : ""));
      return h("li", {}, row);
    });
    const more = games.length > here.most ? button(W.more, () => { here.most += 100; once.delete("sums"); show(); }) : null;
    return rows.length ? card("list", W.games_title, W.list_small, h("ul", { class: "plain open games" }, ...rows), more) : null;
  }
  const figure = (label, value, hint) => h("div", { class: "figure" }, h("dt", {}, label), h("dd", {}, h("strong", {}, value), hint ? h("small", {}, hint) : null));
  /** What reviews say of all games: what was lost, against a room, and the places with the luck of the draw taken out. */
  function luck(sums) {
    if (!sums || !["me", "all"].includes(here.whose)) return null;
    const room = Object.entries(sums.standing).find(([, p]) => p !== null), without = sums.without_draws?.placement_without, known = without && without.within !== null && without.within <= 1;
    return card("of", fill(W.of_reviews, { n: sums.games }), "", h("dl", { class: "figures" }, figure(W.mean_lost, sums.score.per_hundred === null ? "\u2014" : number(sums.score.per_hundred), room ? fill(W.better_than, { p: room[1], room: W["room_short_" + room[0]] ?? room[0] }) : ""),
      figure(W.agreement, percent(sums.score.agreement ?? undefined, 0)), without ? figure(W.without, known ? without.mean.toFixed(2) : "\u2014", known ? `\u00b1 ${without.within.toFixed(2)}` : W.more_games) : null));
  }
  function of_accounts(list) {
    const signed = (value) => (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(1);
    return h("details", { class: "card accounts" }, h("summary", {}, W.of_games), table("played", [W.h_account, W.h_policy, W.h_games, W.h_places, W.h_mean, W.h_sum, W.h_last], list.map((one) => h("tr", {}, h("th", { scope: "row" }, one.account),
      cell(one.policy === "human" ? W.human : one.policy), cell(String(one.games), "n"), cell(one.places.join(" / "), "n"), cell(one.mean === null ? "" : one.mean.toFixed(2), "n"), cell(signed(one.result), "n"), cell(one.trend ? `${one.trend.before[0].toFixed(2)} \u2192 ${one.trend.last[0].toFixed(2)}` : "", "n")))));
  }

  // -- the first page ---------------------------------------------------------------------------------------------------

  /** A hand as a picture: its tiles, the drawn one apart, its melds, and the tile that is offered. */
  function hand_of({ table, own_turn }, marked) {
    const dora = table.hand ? pairs(table.hand) : [], at = marked ? (table.drawn === marked ? dora.length : dora.lastIndexOf(marked)) : -1;
    const one = (name, index, kind) => h("span", { class: "slot" + (kind ?? "") + (index === at ? " marked" : "") }, tile(name));
    const melds = table.melds[0].map((meld) => h("span", { class: "melded" }, ...[...pairs(meld.tiles), ...(meld.called ? [meld.called] : []), ...(meld.added ? [meld.added] : [])].map((name) => tile(name))));
    return h("div", { class: "hand" }, ...dora.map((name, index) => one(name, index)), table.drawn ? one(table.drawn, dora.length, " drawn") : null, ...melds, !own_turn && table.offered ? one(table.offered, -2, " drawn offered") : null);
  }
  /** The table of a decision, in little. */
  const table_of = ({ table, names, hand: at }) => drawing({ words: W, names: names ?? ["", "", "", ""], decimals: 0, unit: "" }).board({ table, truth: { hands: [null, null, null] } }, { ...at, name: hand(at.name) }, false);
  const SAMPLE = { hand: { name: "E1", dealer: 0 }, row: { table: { hand: "", drawn: null, waits: "", furiten: false, dora: "7p", wall: 50, sticks: 0, turn: 0, offered: null, scores: [25000, 25000, 25000, 25000], riichi: [false, false, false, false], melds: [[], [], [], []], rivers: ["3z09s13z02z01m0", "4z09m06z11p05z0", "1z03z09p12m08s0", "4z19s03z09p0"] }, truth: { hands: [null, null, null] } } };
  function first() {
    const opponents = $("against").value || "value";
    update("mini", [opponents], () => {
      const draw = drawing({ words: W, names: [W.you, ...data.people], decimals: 0, unit: "" }), name = `${W.wind_short_0}1`;
      return [draw.board(SAMPLE.row, { ...SAMPLE.hand, name, bare: true }, false)];
    });
    update("others", [opponents], () => data.people.map((name) => h("span", {}, h("b", {}, name), h("small", {}, W["opponent_" + opponents]))));
    update("cards", [run.last, run.practice, run.reviews, run.choices?.me, run.choices?.everyone, run.me], () => [last_game(run.last), due_card(run.practice), trend_card()]);
  }
  function last_game(one) {
    if (!one) return run.practice ? card("last", W.last_title, "", h("p", {}, W.no_last), h("p", { class: "row foot" }, h("a", { class: "button", href: "#review" }, W.review_title))) : null;
    const shown = one.shown, draw = shown && drawing({ words: W, names: [], decimals: shown.decimals, unit: "" });
    const action = (kind, what) => h("span", { class: "act " + kind }, ...draw.action(what));
    const worst = shown ? [h("small", {}, `${W.its_worst} \u00b7 ${hand(shown.hand.name)}`), hand_of(shown, shown.played && shown.played.kind === "discard" ? shown.played.tile : null),
      h("p", { class: "swap" }, shown.played ? action("yours", shown.played) : null, h("span", { class: "calm" }, "\u2192"), action("bots", shown.chosen), h("b", { class: "loss" }, `\u2212${draw.amount(shown.loss)}`, one.unit === "points" ? h("small", {}, " " + W.points) : null)), shown.say[lang] ? h("p", {}, ...draw.rich(shown.say[lang])) : null] : [h("p", {}, W.no_worst)];
    return card("last", W.last_title, [one.date || W.no_day, one.place ? W["place_" + one.place] : "", one.points === null || one.points === undefined ? "" : number(one.points)].filter(Boolean).join(" \u00b7 "),
      one.percentile === null || one.percentile === undefined ? null : h("p", {}, h("b", {}, fill(W.better_game, { p: one.percentile, room: W["room_short_" + one.room] ?? one.room }))), ...worst, h("p", { class: "row foot" }, h("a", { class: "button", href: report(one.page) }, W.open_review), shown ? h("a", { class: "button", href: report(one.page, shown.number) }, W.see_worst) : null));
  }
  function due_card(one) {
    if (!one) return null;
    const some = one.questions && one.due + one.new > 0, n = some ? one.due + one.new : 0;
    return card("duty", W.practice_title, n ? fill(W.due_count, { due: one.due, fresh: one.new }) : "", ...(one.why.en ? told("{why}", one.why, W.original) : one.shown ? [hand_of(one.shown), h("p", { class: "ask" }, one.shown.own_turn ? W.ask_turn : W.ask_call), h("small", {}, `${hand(one.shown.hand.name)} \u00b7 ${fill(W.turn, { turn: one.shown.turn })}`)] : [h("p", {}, one.questions ? due(one) : W.nothing)]),
      one.questions ? h("p", { class: "row foot" }, link(some ? W.start : W.start_anyway, `practice/?lang=${lang}`, true)) : null);
  }
  function trend_card() {
    const mine = (run.reviews ?? []).filter((one) => one.lost !== null && one.unit === "points" && (!run.choices?.me.length || run.choices.everyone || is_me(one.names[0]))).slice(0, 30).reverse();
    if (mine.length < 2) return card("line", W.trend, "", h("p", {}, W.no_trend), h("p", { class: "row foot" }, h("a", { class: "button", href: "#results" }, W.results)));
    const mean = (list) => list.reduce((sum, one) => sum + one.lost, 0) / list.length, size = Math.min(7, Math.floor(mine.length / 2)), now = mean(mine.slice(-size)), then = mean(mine.slice(0, size)), known = mine.filter((one) => one.place);
    const most = Math.max(...mine.map((one) => one.lost)), x = (at) => (260 * at / (mine.length - 1)).toFixed(1), y = (value) => (92 - 88 * value / most).toFixed(1), means = mine.map((_, at) => mean(mine.slice(Math.max(0, at - size + 1), at + 1)));
    return card("line", W.trend, fill(W.last_games, { n: size }), h("p", { class: "big" }, number(now), " ", now === then ? null : h("small", { class: now < then ? "gain" : "loss" }, `${now < then ? "\u25bc" : "\u25b2"} ${number(Math.abs(now - then))}`)), h("small", {}, W.mean_lost),
      s("svg", { class: "spark", viewBox: "0 0 260 96", preserveAspectRatio: "none", "aria-hidden": true }, s("polyline", { class: "each", points: mine.map((one, at) => `${x(at)},${y(one.lost)}`).join(" ") }), s("polyline", { class: "mean", points: means.map((value, at) => `${x(at)},${y(value)}`).join(" ") })),
      h("p", { class: "row foot" }, known.length ? h("span", {}, h("b", {}, (known.reduce((sum, one) => sum + one.place, 0) / known.length).toFixed(2)), " ", h("small", {}, W.mean_place)) : null, h("a", { class: "button", href: "#results" }, W.results)));
  }

  // -- the page -----------------------------------------------------------------------------------------------------

  const at = () => (PLACES.includes(location.hash.slice(1)) ? location.hash.slice(1) : "play");
  function show() {
    W = data.words[lang];
    for (const place of PLACES) {
      $("v-" + place).hidden = place !== at();
      const tab = document.querySelector(`[data-place="${place}"]`);
      if (place === at()) tab.setAttribute("aria-current", "page"); else tab.removeAttribute("aria-current");
    }
    const due = run.practice ? run.practice.due + run.practice.new : 0, making = (run.jobs ?? []).filter((job) => job.state === "waiting" || job.state === "making").length;
    document.querySelector('[data-count="practice"]').textContent = due ? String(due) : "";
    document.querySelector('[data-count="review"]').textContent = making ? String(making) : "";
    const trouble = run.ended ? W.ended : here.lost ? W.lost : here.trouble;
    $("trouble").hidden = !trouble;
    update("trouble", trouble, () => (Array.isArray(trouble) ? told(...trouble, W.original) : [trouble]));
    for (const part of [seat, first, found, jobs, reviews, practice, watch, results]) part();
  }
  function options(id, names, word) {
    const chosen = $(id).value;
    $(id).replaceChildren(...names.map((name) => h("option", { value: name }, W[word + name])));
    if (chosen) $(id).value = chosen;
  }
  function speak() {
    W = data.words[lang];
    document.documentElement.lang = lang;
    document.getElementById("by-hand").href = `hand/?lang=${lang}`;
    for (const node of document.querySelectorAll("[data-word]")) node.textContent = W[node.dataset.word];
    for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", W[node.dataset.label]);
    for (const node of document.querySelectorAll("[data-hint]")) node.placeholder = W[node.dataset.hint];
    options("against", data.opponents, "opponent_");
    options("length", data.lengths, "length_");
    options("clock", data.clocks, "clock_");
    options("theme", ["", "light", "dark"], "theme_");
    $("language").value = lang;
    show();
  }
  $("theme").addEventListener("change", () => { say({ do: "theme", wanted: $("theme").value }); setTimeout(() => location.reload(), 150); });
  $("against").addEventListener("change", show);
  window.addEventListener("resize", () => show());
  $("language").addEventListener("change", () => { lang = $("language").value; say({ do: "speak", lang }); once.clear(); speak(); });
  window.addEventListener("hashchange", () => { here.trouble = ""; show(); window.scrollTo(0, 0); });
  window.addEventListener("pageshow", () => { here.going = false; });
  speak();
  connect();
})();
