/** The place of a person who plays on the page: answers by mouse and keyboard, what is answered by itself, sounds.
 * `send(ask, choice)` answers a question; `redraw()` draws the page again; `chosen()` has what the program remembers:
 * `sort`, `sound`, `hints` (null where there are none) and `pace`; `choose(name)` changes one of them. */
function seating({ send, redraw, chosen, choose }) {
  const { h } = drawing({ words: {}, names: [], decimals: 0, unit: "" });
  /** What the person wants done without being asked, until the hand ends. */
  const wants = { win: false, calls: false, cut: false };
  /** The key of each switch. */
  const SWITCHES = { win: "1", calls: "2", cut: "3", sort: "4", sound: "5", hints: "6", pace: "7" };
  let riichi = null, keyboard = false, hand = "", heard = "", lifted = null;
  /** Milliseconds for which tiles and answers that have just appeared hear no click, which was meant for what was there. */
  const DEAF = 150;
  /** Calls `act` on a click, unless `made` has just appeared under the pointer; keys are always heard. */
  function on_click(made, act) {
    let seen = Infinity;
    requestAnimationFrame(() => { seen = performance.now(); });
    made.addEventListener("click", (event) => { if (!event.detail || performance.now() - seen >= DEAF) act(); });
    return made;
  }

  // -- what is answered by itself -----------------------------------------------------------------------------------

  const find = (ask, ...kinds) => ask.legal.findIndex((one) => kinds.includes(one.kind));

  /** The answer that the switches give, as an index; -1 if the person is asked. */
  function automatic(ask, own) {
    const win = find(ask, "tsumo", "ron");
    if (win >= 0) return wants.win ? win : -1;
    if (!own) return wants.calls ? find(ask, "pass") : -1;
    return wants.cut ? ask.legal.findIndex((one) => one.kind === "discard" && one.drawn) : -1;
  }

  let waiting = null;
  function consider(ask, own) {
    const choice = ask ? automatic(ask, own) : -1;
    if (choice < 0 || waiting === ask.number) return choice >= 0;
    waiting = ask.number;
    setTimeout(() => {
      if (waiting === ask.number && automatic(ask, own) === choice) send(ask, choice);
      waiting = null;
      redraw();
    }, 250);
    return true;
  }

  /** A new hand begins: the switches that belong to a hand are off again. */
  function begin(name) {
    if (hand === name) return;
    hand = name;
    for (const each of Object.keys(wants)) wants[each] = false;
  }

  function toggle(name) {
    if (name in wants) wants[name] = !wants[name];
    else choose(name);
    if (name === "sound") blip([660]);
    redraw();
  }

  /** The switches; without that of hints where there are none. */
  function switches(W) {
    const all = { ...chosen(), ...wants };
    return Object.entries(SWITCHES).filter(([name]) => all[name] !== null).map(([name, key]) => {
      const choice = name === "pace";
      const button = h("button", { type: "button", class: "switch", "data-want": name, "aria-pressed": choice ? null : all[name] ? "true" : "false", title: `${W["want_" + name + "_hint"]} (${key})` }, choice ? W["pace_" + all.pace] : W["want_" + name]);
      button.addEventListener("click", () => toggle(name));
      return button;
    });
  }

  // -- answers ------------------------------------------------------------------------------------------------------

  /** Words and tiles that begin with a capital. */
  const begun = ([first, ...rest]) => [typeof first === "string" ? first.charAt(0).toUpperCase() + first.slice(1) : first, ...rest];
  function button(ask, one, choice, action) {
    return on_click(h("button", { type: "button", class: "answer", "data-kind": one.kind }, ...begun(action(one))), () => send(ask, choice));
  }

  /** The riichi button: with one tile it declares at once, with several it leads to choosing one. */
  function declare(W, ask, found, action) {
    if (found.length === 1) return button(ask, found[0].one, found[0].choice, action);
    const choosing = riichi === ask.number;
    const made = h("button", { type: "button", class: "answer", "data-kind": choosing ? "back" : "riichi" }, choosing ? W.riichi_back : W.riichi_choose);
    made.addEventListener("click", () => { riichi = choosing ? null : ask.number; redraw(); });
    return made;
  }

  /** What can be answered without a tile of the hand, beside whose turn it is and how long it lasts. */
  function answers(W, ask, own, drawer) {
    const { action, fill } = drawer;
    const all = ask.legal.map((one, choice) => ({ one, choice }));
    const declared = all.filter(({ one }) => one.kind === "riichi");
    const order = ["tsumo", "ron", "riichi", "ankan", "kakan", "daiminkan", "pon", "chi", "nine_terminals", "pass"];
    const others = all.filter(({ one }) => !["discard", "riichi"].includes(one.kind)).sort((a, b) => order.indexOf(a.one.kind) - order.indexOf(b.one.kind));
    const buttons = others.map(({ one, choice }) => button(ask, one, choice, action));
    if (declared.length) buttons.unshift(declare(W, ask, declared, action));
    const label = riichi === ask.number ? W.riichi_which : own ? W.your_turn : W.your_call;
    const left = Math.max(0, Math.ceil((ask.until - Date.now()) / 1000));
    return h("div", { class: "answers", role: "group", "data-number": ask.number, "aria-label": label },
      h("p", {}, h("b", {}, label), " ", h("time", { id: "left" }, fill(W.seconds, { n: left }))), h("div", { class: "buttons" }, ...buttons));
  }

  /** Makes the tiles of the hand that can be discarded into buttons. */
  function pickable(strip, ask) {
    strip.classList.add("asked");
    const kind = riichi === ask.number ? "riichi" : "discard";
    for (const slot of [...strip.querySelectorAll(".slot:not(.offer)")]) {
      const name = slot.querySelector(".tile").getAttribute("aria-label");
      const fits = ask.legal.map((legal, choice) => ({ legal, choice })).filter(({ legal }) => legal.kind === kind && legal.tile === name);
      const drawn = slot.classList.contains("drawn");
      const fit = fits.find(({ legal }) => Boolean(legal.drawn) === drawn) ?? (kind === "riichi" ? fits[0] : undefined);
      if (!fit) continue;
      const made = h("button", { type: "button", class: slot.className + " pick", "aria-label": name });
      made.append(...slot.childNodes);
      on_click(made, () => { lifted = made.querySelector(".tile").getBoundingClientRect(); send(ask, fit.choice); });
      slot.replaceWith(made);
    }
    if (strip.querySelector(".pick")) strip.classList.add("some");
    return strip;
  }

  /** What discarding a tile leaves: the waits, or the tiles that bring the hand nearer, with the number left of each. */
  function gains(W, table, name, ask, { tile, pairs, fill, unseen, counts, discarded }) {
    const left = ask.after[name.replace("0", "5")];
    if (!left) return null;
    const kinds = pairs(left.gains), own = left.shanten ? [] : [...discarded(table), name.replace("0", "5")], furiten = kinds.some((kind) => own.includes(kind));
    const total = kinds.reduce((sum, kind) => sum + unseen(table, kind), 0), head = left.shanten ? fill(W.after_shanten, { n: left.shanten }) : W.waits;
    return h("p", { class: "gains" }, h("span", { class: "kept" }, tile(name), "\u2192"), h("span", {}, head),
      h("small", {}, fill(W.after_total, { n: total })), ...(furiten ? [h("b", {}, W.furiten)] : []), ...counts(table, kinds, own));
  }

  /** The tiles as they came, for those who sort them themselves: as dealt, what was drawn at the end. */
  function unsorted(moments, at) {
    const start = moments.findLastIndex((one, index) => index <= at && one && one.dealt);
    if (start < 0) return null;
    const { pairs } = drawing({ words: {}, names: [], decimals: 0, unit: "" });
    let order = pairs(moments[start].dealt);
    for (let index = start; index <= at; index += 1) {
      const table = moments[index] && moments[index].table;
      if (!table) continue;
      const held = pairs(table.hand), kept = [];
      for (const name of order) {
        const place = held.indexOf(name);
        if (place >= 0) { kept.push(name); held.splice(place, 1); }
      }
      order = [...kept, ...held];
    }
    return order.join("");
  }

  // -- the keyboard -------------------------------------------------------------------------------------------------

  const KINDS = { r: ["riichi", "back"], t: ["tsumo", "ron"], w: ["tsumo", "ron"], p: ["pon"], c: ["chi"], k: ["ankan", "kakan", "daiminkan"], 9: ["nine_terminals"], x: ["pass", "back"], Escape: ["pass", "back"] };
  const shownAll = (selector) => [...document.querySelectorAll(selector)];

  /** Moves among the tiles and the answers; returns whether there was anything to move among. */
  function move(key) {
    const picks = shownAll("#mine .pick"), answered = shownAll("#answers .answer");
    const here = document.activeElement, list = answered.includes(here) || !picks.length ? answered : picks;
    if (key === "ArrowUp" || key === "ArrowDown") {
      const to = key === "ArrowUp" ? answered[0] : picks[picks.length - 1];
      if (to) to.focus();
      return Boolean(to);
    }
    if (!list.length) return false;
    const at = list.indexOf(here), step = key === "ArrowLeft" ? -1 : 1;
    list[at < 0 ? list.length - 1 : (at + step + list.length) % list.length].focus();
    return true;
  }

  /** Handles a key while a person plays; returns whether it meant something. */
  function press(key) {
    const named = Object.entries(SWITCHES).find(([, each]) => each === key && !(key === "9"));
    if (named) { toggle(named[0]); return true; }
    if (key.startsWith("Arrow")) return move(key);
    if (key === "d") { const drawn = document.querySelector("#mine .pick.drawn"); if (drawn) drawn.click(); return Boolean(drawn); }
    const kinds = KINDS[key];
    const fits = kinds ? shownAll("#answers .answer").filter((one) => kinds.includes(one.dataset.kind)) : [];
    if (fits.length === 1) fits[0].click();
    else if (fits.length) (fits[(fits.indexOf(document.activeElement) + 1) % fits.length]).focus();
    return fits.length > 0;
  }

  /** A new question is on the page: whoever plays by keyboard is on the drawn tile, or on the last answer. */
  function focus() {
    if (!keyboard) return;
    const picks = shownAll("#mine .pick"), answered = shownAll("#answers .answer");
    const to = picks.length ? picks[picks.length - 1] : answered[answered.length - 1];
    if (to) to.focus({ preventScroll: true });
  }
  document.addEventListener("pointerdown", () => { keyboard = false; });
  document.addEventListener("keydown", () => { keyboard = true; });

  // -- sounds -------------------------------------------------------------------------------------------------------

  let audio = null;
  /** Short tones, one after another; browsers allow none before the first click or key. */
  function blip(tones) {
    if (!chosen().sound || navigator.userActivation?.hasBeenActive === false) return;
    audio = audio || new AudioContext();
    tones.forEach((tone, index) => {
      const from = audio.currentTime + .09 * index, voice = audio.createOscillator(), loud = audio.createGain();
      voice.type = "triangle";
      voice.frequency.value = tone;
      loud.gain.setValueAtTime(.12, from);
      loud.gain.exponentialRampToValueAtTime(.001, from + .16);
      voice.connect(loud).connect(audio.destination);
      voice.start(from);
      voice.stop(from + .17);
    });
  }

  /** The sound of what has just happened; each happens once. */
  function sound(key, moment, ask, own) {
    const what = `${key}/${ask ? ask.number : ""}`;
    if (what === heard) return;
    heard = what;
    const act = moment.act && moment.act.kind;
    if (moment.result && moment.result.kind === "win") blip([523, 659, 784, 1047]);
    else if (act === "riichi") blip([784, 1047]);
    else if (act && act !== "discard" && act !== "tsumo" && act !== "ron") blip([440, 554]);
    else if (ask) blip(own ? [660] : [880, 988]);
    else blip([330]);
  }

  /** Where on the page the tile lay that was discarded last; once. */
  function takeLifted() {
    const box = lifted;
    lifted = null;
    return box;
  }

  return { wants, takeLifted, gains, switches, answers, pickable, unsorted, press, focus, begin, consider, sound, choosing: () => riichi };
}
