/** What of a review can be shared and kept. `data`: the words; the game's `log` as tenhou.net/6 JSON, its `viewer` address
 * at Tenhou, each "" for none; the `whole` page as it came; a `title` for files. Returns what makes the entries of a menu
 * for a position, or for none. */
function sharer(data) {
  const W = data.words, { h, s, pairs } = drawing(data), SVG = "http://www.w3.org/2000/svg";
  const file = data.title.replace(/[^\p{L}\p{N}.-]+/gu, "-");

  /** Says for a moment what has been done. */
  function tell(text) {
    document.getElementById("told").textContent = text;
    setTimeout(() => { document.getElementById("told").textContent = ""; }, 3000);
  }

  function save(name, content, type) {
    const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    const link = h("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    tell(W.share_saved);
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {  // no clipboard for this page: the old way
      const field = h("textarea", { class: "hidden", "aria-hidden": true });
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    tell(W.share_copied);
  }

  /** The address of a hand in Tenhou's viewer: of a game that was played there, or with the hand itself. */
  function viewer(hand, at) {
    if (data.viewer) return data.viewer + at;
    if (!data.log) return "";
    const game = JSON.parse(data.log), found = game.log.filter(([[kyoku, honba]]) => kyoku === hand.kyoku && honba === hand.honba);
    return "https://tenhou.net/6/#json=" + encodeURIComponent(JSON.stringify({ ...game, log: found.length === 1 ? found : game.log }));
  }

  /** The table and the hand below it as one picture, with the tiles and the style of the page. */
  function drawn({ row, board, caption }) {
    const paint = getComputedStyle(document.documentElement), wide = 3.2, names = pairs(row.table.hand), last = row.table.drawn ?? row.table.offered;
    const all = s("svg", { xmlns: SVG, class: "board", viewBox: "-27 -27 54 60", width: 1080, height: 1200 },
      s("style", {}, document.querySelector("style").textContent), ...document.querySelector("body > svg").cloneNode(true).childNodes,
      s("rect", { x: -27, y: -27, width: 54, height: 60, fill: paint.getPropertyValue("--felt") }), ...board.childNodes);
    const left = -(names.length + (last ? 1.4 : 0)) * wide / 2;
    names.forEach((name, index) => all.append(s("use", { href: "#t-" + name, x: left + index * wide, y: 24.4, width: wide, height: wide * 4 / 3 })));
    if (last) all.append(s("use", { href: "#t-" + last, x: left + (names.length + .4) * wide, y: 24.4, width: wide, height: wide * 4 / 3 }));
    all.append(s("text", { x: 0, y: 31.4, "font-size": 1.5, "text-anchor": "middle" }, caption));
    return new XMLSerializer().serializeToString(all);
  }

  async function picture(position) {
    const image = new Image(), canvas = h("canvas", { width: 1080, height: 1200 });
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(drawn(position));
    await image.decode();
    canvas.getContext("2d").drawImage(image, 0, 0);
    canvas.toBlob((blob) => save(`${file}-${position.row.number}.png`, blob), "image/png");
  }

  const button = (text, name, act) => { const made = h("button", { type: "button", "data-share": name }, text); made.addEventListener("click", act); return made; };
  return (position) => [
    position && button(W.share_address, "address", () => copy(location.href)),
    position && button(W.share_picture, "picture", () => picture(position)),
    position && (data.viewer || data.log) && h("a", { "data-share": "viewer", href: viewer(position.hand, position.row.hand), target: "_blank", rel: "noopener noreferrer" }, W.share_viewer),
    data.log && button(W.share_log, "log", () => save(`${file}.json`, data.log, "application/json")),
    location.protocol !== "file:" && button(W.share_report, "report", () => save(`${file}.html`, data.whole, "text/html")),
  ].filter(Boolean);
}
