/** What moves at the table: discards slide into their rivers, and the end of a hand is shown part by part.
 *
 * `now()` gives milliseconds, and `wait(ms, act)` acts after them. Whoever asks for less motion sees the parts one after
 * another, too, but nothing slides, and no number counts up. */
function moving({ now, wait }) {
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  // -- slides -------------------------------------------------------------------------------------------------------

  /** Milliseconds of a slide, and where the hand of another seat stands on the board. */
  const SLIDE = 120, HAND = { x: 0, y: 23.5 };

  /** Where a box of the page lies on a board. */
  function onBoard(board, box) {
    const { a, e, f } = board.getScreenCTM();
    return { x: (box.x + box.width / 2 - e) / a, y: (box.y + box.height / 2 - f) / a };
  }

  /** Slides the newest discard of a board into its place: from the hand of its seat, or from the box `from` of the page. */
  function slide(board, from) {
    const newest = board.querySelector(".newest");
    if (!newest || still()) return;
    const { x, y, width, height } = newest.getBBox(), start = from ? onBoard(board, from) : HAND;
    newest.animate([{ transform: `translate(${start.x - x - width / 2}px, ${start.y - y - height / 2}px)` }, { transform: "none" }],
      { duration: SLIDE, easing: "cubic-bezier(.2, .8, .3, 1)" });
  }

  // -- the end of a hand --------------------------------------------------------------------------------------------

  /** Milliseconds for which the parts of an end stay alone, at the normal pace; points count up for `COUNTING`. */
  const STEPS = { tile: 60, winning: 500, hand: 350, marks: 350, yaku: 420, fu: 420, worth: 1100, payments: 300 }, COUNTING = 800;
  let hidden = [];

  /** Shows the parts of a panel, `data-part` names their kinds, one after another; `factor` is that of the pace. */
  function reveal(panel, factor) {
    hidden = factor ? [...panel.querySelectorAll("[data-part]")] : [];
    for (const part of hidden) part.classList.add("unseen");
    next(panel, factor);
  }

  function next(panel, factor) {
    const part = hidden.shift();
    if (!part) return;
    part.classList.remove("unseen");
    const counted = part.querySelector("[data-points]");
    if (counted && !still()) count(counted, now(), COUNTING * factor);
    wait(STEPS[part.dataset.part] * factor, () => { if (panel.isConnected) next(panel, factor); });
  }

  /** Counts points up to their number, unless they have been shown meanwhile. */
  function count(node, from, lasts) {
    const whole = node.textContent, points = Number(node.dataset.points), digits = points.toLocaleString("en-US");
    function step() {
      const part = Math.min(1, (now() - from) / lasts);
      if (!node.isConnected || "shown" in node.dataset || part >= 1) { node.textContent = whole; return; }
      node.textContent = whole.replace(digits, Math.round(points * (1 - (1 - part) ** 3)).toLocaleString("en-US"));
      requestAnimationFrame(step);
    }
    step();
  }

  /** Shows all that is still hidden; returns whether there was anything. */
  function finish() {
    const found = hidden.length > 0;
    for (const part of hidden) part.classList.remove("unseen");
    hidden = [];
    for (const node of document.querySelectorAll("[data-points]")) node.dataset.shown = "";
    return found;
  }

  return { slide, reveal, finish };
}
