/** The door of the program's pages, as the browser sees it: its key, which no script can read, and the proof of both sides. */
const door = (() => {
  const base = `/${location.pathname.split("/")[1]}/`;
  const store = (mode, work) => new Promise((done, fail) => {
    const opening = indexedDB.open("oshihiki", 1);
    opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("keys"));
    opening.addEventListener("error", () => fail(opening.error));
    opening.addEventListener("success", () => {
      const change = opening.result.transaction("keys", mode), asked = work(change.objectStore("keys"));
      change.addEventListener("complete", () => { opening.result.close(); done(asked.result); });
      change.addEventListener("error", () => { opening.result.close(); fail(change.error); });
    });
  });
  const hex = (bytes) => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("");
  const bytes = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
  const encoded = (text) => new TextEncoder().encode(text);

  /** Keeps the key by which the program will know this browser again. */
  async function keep(name, text) {
    const key = await crypto.subtle.importKey("raw", bytes(text), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
    await store("readwrite", (keys) => keys.put({ name, key }, base));
  }

  /** Where the pages of the program lie, once it and this browser have proved to each other that they are those they
   * were; empty if they have not. Nothing but a name and random digits is said before the program has proved itself. */
  async function known() {
    const kept = await store("readonly", (keys) => keys.get(base)).catch(() => null);
    if (!kept) return "";
    const theirs = hex(crypto.getRandomValues(new Uint8Array(16))), path = `${base}known/${kept.name}/${theirs}`;
    try {
      const { nonce, proof } = await (await fetch(path)).json();
      if (!await crypto.subtle.verify("HMAC", kept.key, bytes(proof), encoded(`program ${theirs} ${nonce}`))) return "";
      const own = hex(await crypto.subtle.sign("HMAC", kept.key, encoded(`browser ${theirs} ${nonce}`)));
      const answer = await fetch(`${path}/${nonce}/${own}`);
      return answer.ok ? (await answer.json()).to : "";
    } catch { return ""; }
  }

  /** Goes to the place that the address names, among the pages that lie there now; false where they lie here. */
  function go(to) {
    if (location.pathname.startsWith(to)) return false;
    const place = location.pathname.slice(base.length).replace(/^[\w-]{11}(\/|$)/, "");
    location.replace(to + place + location.search + location.hash);
    return true;
  }

  /** A line to the program at a path below this page: `hear` gets what it says, `change` whether it is open. A line that
   * breaks is opened again once the program has proved itself; `until` says that it has ended. */
  function line(path, { hear, change, until }) {
    let socket = null, delay = 500, broken = false;
    async function open() {
      if (broken) {
        const to = await known();
        if (!to) { again(); return; }
        if (go(to)) return;
      }
      socket = new WebSocket(`ws://${location.host}${path}`);
      socket.addEventListener("open", () => { delay = 500; broken = false; change(true); });
      socket.addEventListener("message", ({ data }) => hear(JSON.parse(data)));
      socket.addEventListener("close", () => { broken = true; change(false); if (!until()) again(); });
    }
    function again() { setTimeout(open, delay); delay = Math.min(2 * delay, 8000); }
    open();
    return { say: (content) => { if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(content)); } };
  }
  return { keep, known, go, line };
})();
