(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const PLACES = ["play", "review", "practice", "watch", "results"];
  let lang = new URLSearchParams(location.search).get("lang") || (navigator.language.startsWith("ja") ? "ja" : "en");
  if (!(lang in data.words)) lang = "en";
  let W = data.words[lang];
  const { h, fill, told, number } = drawing({ words: W, names: [], decimals: 0, unit: "" });
  /** What the program has said, by name. */
  let run = {};
  /** What this page alone knows: what is being sent, what went wrong, where a click is to lead. */
  const here = { sending: "", trouble: "", going: false, chosen: false, most: 50, filter: "", place: "", order: "date" };

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
      if (here.going && before !== "playing" && run.table && run.table.state === "playing") location.href = `watch/?lang=${lang}`;
    }
    if (message.trouble) { here.trouble = [W.said, message.trouble]; here.going = false; }
    if (message.go) {
      location.href = message.go.replace("watch/#", `watch/?lang=${lang}#`) + (message.go.startsWith("all") && here.hash ? `#${here.hash}` : "");
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
  const link = (text, href, main) => h("a", { class: main ? "button main" : null, href }, text);
  const table = (kind, heads, rows) => h("div", { class: "scroll" }, h("table", { class: kind }, h("thead", {}, h("tr", {}, ...heads.map((text, at) => h("th", { scope: "col", class: at > (kind === "trend" ? 0 : 1) ? "n" : null }, text)))), h("tbody", {}, ...rows)));
  const cell = (content, kind) => h("td", { class: kind }, content ?? "");

  // -- play ---------------------------------------------------------------------------------------------------------

  function seat() {
    const { state, why } = run.table ?? { state: "", why: {} }, busy = state === "preparing" || state === "playing";
    $("sit").hidden = busy;
    update("seat", [state, why], () => {
      if (state === "preparing") return [h("p", { class: "calm" }, W.preparing)];
      if (state !== "playing") return why.en ? [h("div", { class: "notice" }, ...told("{why}", why, W.original))] : [];
      const leave = button(W.leave, () => sure(W.leave_sure, W.leave, () => say({ do: "leave" })));
      return [h("p", {}, W.playing), h("p", { class: "row" }, link(W.to_table, `watch/?lang=${lang}`, true), leave)];
    });
  }
  /** Begins with what was chosen last; the address of the page may name another language. */
  function choose_again(choices) {
    here.chosen = true;
    for (const id of ["against", "length", "clock", "name"]) $(id).value = choices[id];
    $("hints").checked = choices.hints;
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

  const review = (one, seat) => say({ do: "review", key: one.key, seat, lang });

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
    const first = several ? often.map(([name, n]) => button(fill(W.review_all, { name, n }), () => say({ do: "review", name, lang }), name === run.me || n === list.length)) : [];
    return h("section", { class: "card", "aria-labelledby": "h-found" }, h("h2", { id: "h-found" }, fill(W.found, { n: list.length })), h("p", {}, W.who), first.length ? h("p", { class: "row" }, ...first) : null,
      h("ul", { class: "plain" }, ...list.slice(0, 100).map((one) => h("li", { class: "row" }, h("span", { class: "title" }, one.title), ...seats(one), button(W.show_game, () => say({ do: "watch", key: one.key }), false, "watch " + one.key)))),
      h("p", { class: "row" }, button(W.clear, () => say({ do: "clear" }))));
  }
  /** The name of a player; the wind of the first hand tells those apart whose names do not. */
  const named = (one, name, seat) => (name && one.names.filter((each) => each === name).length === 1 ? name : `${name} ${W["wind_short_" + seat]}`.trim());
  function seats(one) {
    const chosen = one.seat ?? (one.names.filter((name) => name === run.me).length === 1 ? one.names.indexOf(run.me) : null);
    return one.names.map((name, seat) => [name, seat]).filter(([, seat]) => !one.only || seat === one.seat)
      .map(([name, seat]) => button(fill(W.review_seat, { name: named(one, name, seat) }), () => review(one, one.only ? null : seat), seat === chosen, `review ${one.key} ${seat}`));
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
    update("jobs", shown, () => (shown.length ? [h("section", { class: "card", "aria-labelledby": "h-jobs" }, h("h2", { id: "h-jobs" }, running ? W.jobs : W.jobs_done), h("ul", { class: "plain" }, ...shown.slice(-20).reverse().map((job) => h("li", { class: "row" }, h("span", { class: "title" }, job.title), state(job)))))] : []));
    const done = list.filter((job) => job.state === "ready").length;
    if (here.done !== undefined && done > here.done && !running) $("jobs").querySelector("a")?.focus();
    here.done = done;
  }
  function state(job) {
    if (job.state === "ready") return link(W.open_review, `review/${job.page}`, true);
    if (job.state === "waiting") return h("span", { class: "hint" }, W.waiting);
    if (job.state !== "making") return h("div", { class: "loss" }, ...told(W.no_review, job.why, W.original));
    return h("progress", { "aria-label": W.making, max: job.of || null, value: job.of ? job.at : null });
  }

  function reviews() {
    const list = run.reviews ?? [], sums = run.sums;
    update("reviews", [list, sums, run.failed, here.most, here.filter, here.place, here.order], () => {
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
    const rows = fits.slice(0, here.most).map((one) => h("tr", {}, h("th", { scope: "row" }, link(one.date, `review/${one.page}`)), cell(h("span", {}, h("b", {}, one.names[0] || "\u2014"), " ", h("small", {}, one.names.slice(1).join(", "))), "who"),
      cell(one.place ? W["place_" + one.place] : "", "n"), h("td", { class: "n", "data-head": W.h_lost }, one.lost === null ? "" : number(one.lost)),
      cell(one.worst ? link(`${hand(one.worst.hand)} \u2212${number(one.worst.loss)}`, `review/${one.page}#d${one.worst.number}`) : "", "n"), cell(h("span", { class: "acts" }, one.log ? button(W.show_game, () => say({ do: "watch", key: one.log }), false, "watch " + one.page) : null, remove(one)), "n")));
    const more = fits.length > here.most ? button(W.more, () => { here.most += 100; show(); }) : null;
    return h("div", {}, table("reviews", [W.h_date, W.h_players, W.h_place, W.h_lost, W.h_worst, W.h_game], rows), more);
  }
  function remove(one) {
    const which = [one.date, ...one.names].filter(Boolean).join(", "), made = button(W.remove, () => sure(fill(W.remove_sure, { which }), W.remove, () => say({ do: "delete", page: one.page })), false, "delete " + one.page);
    made.setAttribute("aria-label", `${W.remove}: ${which}`);
    return made;
  }
  /** The name of a hand, which begins with the letter of its wind. */
  const hand = (name) => name.replace(/^[ESWN]/, (wind) => W["wind_short_" + "ESWN".indexOf(wind)]);
  function habits(sums) {
    if (!sums || !sums.habits.length) return null;
    return h("section", { "aria-labelledby": "h-habits" }, h("h2", { id: "h-habits" }, W.habits), h("ul", { class: "plain open" }, ...sums.habits.map((one) => h("li", {}, habit(one)))));
  }
  function habit(one) {
    const said = fill(W.habit_line, { kind: W["habit_" + one.kind] ?? one.kind, situation: W["sit_" + one.situation] ?? one.situation });
    const made = button("", () => { here.hash = `habit-${one.kind}-${one.situation}`; say({ do: "all", lang }); }, false, said);
    made.replaceChildren(h("span", {}, said), h("small", {}, fill(W.habit_count, { n: one.count })), h("span", { class: "n" }, "\u2212" + number(one.lost)));
    return made;
  }

  // -- practice, watch, results -------------------------------------------------------------------------------------

  function practice() {
    const one = run.practice;
    update("due", one, () => {
      if (one && one.why.en) return [h("div", { class: "notice", role: "alert" }, ...told("{why}", one.why, W.original))];
      if (!one || !one.questions) return [h("p", { class: "calm" }, W.nothing)];
      const some = one.due + one.new > 0;
      const said = some ? fill(W.due_now, { due: one.due, fresh: one.new, all: one.questions }) : fill(W.due_later, { when: new Date(one.next_due).toLocaleString(lang) });
      return [h("p", {}, said), h("p", { class: "row" }, link(W.start, `practice/?lang=${lang}`, true)), one.asked ? h("p", { class: "hint" }, fill(W.answered, { n: one.asked, missed: one.missed })) : null];
    });
  }

  function watch() {
    const records = run.records ?? [], logs = [...(run.dropped?.games ?? []).map((one) => ({ key: one.key, title: `${one.title} \u00b7 ${one.names.join(", ")}` })), ...(run.reviews ?? []).filter((one) => one.log).map((one) => ({ key: one.log, title: `${one.date} \u00b7 ${one.names.join(", ")}` }))];
    const each = logs.filter((one, index) => logs.findIndex((other) => other.key === one.key) === index && !records.some((other) => other.key === one.key)).slice(0, 200);
    update("games", [records, each, run.table], () => {
      const list = (title, id, rows) => (rows.length ? h("section", { "aria-labelledby": id }, h("h2", { id }, title), h("ul", { class: "plain open" }, ...rows.map((one) => h("li", {}, opener(one))))) : null);
      const live = run.table && run.table.state === "playing" ? h("p", { class: "row" }, link(W.to_table, `watch/?lang=${lang}`, true)) : null;
      return records.length + each.length ? [live, list(W.your_games, "h-own", records), list(W.logs, "h-logs", each)] : [h("p", { class: "calm" }, W.no_games)];
    });
  }
  function opener(one) {
    const made = button("", () => say({ do: "watch", key: one.key }), false, one.key);
    made.replaceChildren(h("span", {}, one.title), one.running ? h("span", { class: "running" }, W.running) : "");
    return made;
  }

  function results() {
    const list = run.results ?? [], sums = run.sums;
    update("sums", [list, sums], () => (sums || list.length ? [sums && ofReviews(sums), list.length ? ofGames(list) : null] : [h("p", { class: "calm" }, W.no_results)]));
  }
  const figure = (label, value, hint) => h("div", { class: "figure" }, h("dt", {}, label), h("dd", {}, h("strong", {}, value), hint ? h("small", {}, hint) : null));
  function ofReviews(sums) {
    const room = Object.entries(sums.standing).find(([, p]) => p !== null), luck = sums.without_draws, two = (one) => (one === null || one === undefined ? "\u2014" : one.toFixed(2));
    const without = luck?.placement_without, known = without && without.within !== null && without.within <= 1;
    return h("section", { "aria-labelledby": "h-of" }, h("h2", { id: "h-of" }, fill(W.of_reviews, { n: sums.games })), h("dl", { class: "figures" },
      figure(W.mean_lost, sums.score.per_hundred === null ? "\u2014" : number(sums.score.per_hundred), room ? fill(W.better_than, { p: room[1], room: W["room_short_" + room[0]] ?? room[0] }) : ""),
      figure(W.mean_place, two(sums.mean_placement)), without ? figure(W.without, known ? two(without.mean) : "\u2014", known ? `\u00b1 ${two(without.within)}` : W.more_games) : null),
    sums.trend.length > 1 ? h("div", {}, h("h2", {}, W.trend), table("trend", [W.t_games, W.t_lost, W.t_mistakes, W.t_place], sums.trend.map((one) => h("tr", {}, h("th", { scope: "row" }, one.first === one.last ? String(one.first) : `${one.first}\u2013${one.last}`),
      cell(one.per_hundred === null ? "" : number(one.per_hundred), "n"), cell(String(one.mistakes + one.blunders), "n"), cell(two(one.mean_placement), "n"))))) : null);
  }
  function ofGames(list) {
    const signed = (value) => (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(1);
    return h("section", { "aria-labelledby": "h-games" }, h("h2", { id: "h-games" }, W.of_games), table("played", [W.h_account, W.h_policy, W.h_games, W.h_places, W.h_mean, W.h_sum, W.h_last], list.map((one) => h("tr", {}, h("th", { scope: "row" }, one.account),
      cell(one.policy === "human" ? W.human : one.policy), cell(String(one.games), "n"), cell(one.places.join(" / "), "n"), cell(one.mean === null ? "" : one.mean.toFixed(2), "n"), cell(signed(one.result), "n"), cell(one.trend ? `${one.trend.before[0].toFixed(2)} \u2192 ${one.trend.last[0].toFixed(2)}` : "", "n")))));
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
    for (const part of [seat, found, jobs, reviews, practice, watch, results]) part();
  }
  function options(id, names, word) {
    const chosen = $(id).value;
    $(id).replaceChildren(...names.map((name) => h("option", { value: name }, W[word + name])));
    if (chosen) $(id).value = chosen;
  }
  function speak() {
    W = data.words[lang];
    document.documentElement.lang = lang;
    for (const node of document.querySelectorAll("[data-word]")) node.textContent = W[node.dataset.word];
    for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", W[node.dataset.label]);
    for (const node of document.querySelectorAll("[data-hint]")) node.placeholder = W[node.dataset.hint];
    options("against", data.opponents, "opponent_");
    options("length", data.lengths, "length_");
    options("clock", data.clocks, "clock_");
    $("language").value = lang;
    show();
  }
  $("language").addEventListener("change", () => { lang = $("language").value; say({ do: "speak", lang }); once.clear(); speak(); });
  window.addEventListener("hashchange", () => { here.trouble = ""; show(); window.scrollTo(0, 0); });
  window.addEventListener("pageshow", () => { here.going = false; });
  speak();
  connect();
})();
