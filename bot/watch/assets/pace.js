/** How fast a person who plays sees what happens: each moment stays a while before the next one is shown.
 *
 * `now()` gives milliseconds, and `wake(ms)` draws the page again after them. */
function pacing({ now, wake }) {
  /** How many times as long as at the normal pace a moment stays. */
  const PACES = { slow: 2, normal: 1, instant: 0 };
  /** Milliseconds for which another player's act stays at the normal pace; one's own, a draw and a deal stay for none. */
  const STAYS = { discard: 500, chi: 900, pon: 900, daiminkan: 900, kakan: 900, ankan: 900, riichi: 900, tsumo: 1200, ron: 1200 };
  /** Moments behind which a reader jumps to the newest: after a new connection, or a hidden tab. */
  const MOST = 40;
  /** Milliseconds that an open question must still have for what came before it to be played out. */
  const ENOUGH = 4000;
  let here = null;

  const stays = (moment, pace) => (moment && moment.act && moment.act.seat ? STAYS[moment.act.kind] * PACES[pace] : 0);

  /** The moment of a game to show, at most `newest`, and never one that was passed. */
  function at(one, newest, pace) {
    const late = one.ask && one.ask.until - now() < ENOUGH;
    if (!here || here.key !== one.key || newest <= here.at || newest - here.at > MOST || late) {
      if (!here || here.key !== one.key || here.at !== newest) here = { key: one.key, at: newest, from: now() };
      return here.at;
    }
    while (here.at < newest) {
      const left = here.from + stays(one.moments[here.at], pace) - now();
      if (left > 0) { wake(left); break; }
      here = { key: one.key, at: here.at + 1, from: now() };
    }
    return here.at;
  }

  /** Shows the newest moment now. */
  function skip() { here = null; }

  return { at, skip, paces: Object.keys(PACES), factor: (pace) => PACES[pace] };
}
