/** The text of data that a page compresses: base64 of zlib. Browsers from before 2023 have no stream for it. */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  if (!window.DecompressionStream) return new TextDecoder().decode(inflate(bytes));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

/** Unpacks zlib (RFC 1950, 1951). */
function inflate(bytes) {
  const EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
  const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  let at = 2, held = 0, count = 0, out = new Uint8Array(8 * bytes.length), size = 0;

  function bits(n) {
    while (count < n) { held |= bytes[at] << count; at += 1; count += 8; }
    const value = held & ((1 << n) - 1);
    held >>>= n; count -= n;
    return value;
  }
  /** A code by the lengths of its words: how many have each length, and the symbols in order. */
  function code(lengths) {
    const counts = new Uint16Array(16), starts = new Uint16Array(16), symbols = new Uint16Array(lengths.length);
    for (const length of lengths) counts[length] += 1;
    counts[0] = 0;
    for (let length = 1; length < 15; length += 1) starts[length + 1] = starts[length] + counts[length];
    lengths.forEach((length, symbol) => { if (length) { symbols[starts[length]] = symbol; starts[length] += 1; } });
    return { counts, symbols };
  }
  function symbol({ counts, symbols }) {
    let word = 0, first = 0, index = 0;
    for (let length = 1; length < 16; length += 1) {
      word |= bits(1);
      const here = counts[length];
      if (word - first < here) return symbols[index + word - first];
      index += here; first = (first + here) << 1; word <<= 1;
    }
    throw new Error("damaged data");
  }
  function put(value) {
    if (size === out.length) { const more = new Uint8Array(2 * size); more.set(out); out = more; }
    out[size] = value; size += 1;
  }
  /** The codes of a block that states its own: those of lengths and literals, and of distances. */
  function stated() {
    const literals = bits(5) + 257, distances = bits(5) + 1, given = bits(4) + 4, short = new Array(19).fill(0), lengths = [];
    for (let index = 0; index < given; index += 1) short[ORDER[index]] = bits(3);
    const packed = code(short);
    while (lengths.length < literals + distances) {
      const found = symbol(packed);
      if (found < 16) lengths.push(found);
      else {
        const last = found === 16 ? lengths[lengths.length - 1] : 0, times = found === 16 ? 3 + bits(2) : found === 17 ? 3 + bits(3) : 11 + bits(7);
        for (let each = 0; each < times; each += 1) lengths.push(last);
      }
    }
    return [code(lengths.slice(0, literals)), code(lengths.slice(literals))];
  }
  const fixed = () => [code(Array.from({ length: 288 }, (_, index) => (index < 144 ? 8 : index < 256 ? 9 : index < 280 ? 7 : 8))), code(new Array(30).fill(5))];

  const bases = [], ways = [];
  for (let index = 0, base = 3; index < 28; index += 1) { bases.push(base); base += 1 << EXTRA[index]; }
  bases.push(258);
  for (let index = 0, base = 1; index < 30; index += 1) { ways.push(base); base += 1 << (index >> 1 ? (index >> 1) - 1 : 0); }

  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      held = count = 0;
      const length = bytes[at] | bytes[at + 1] << 8;
      at += 4;
      for (let each = 0; each < length; each += 1) { put(bytes[at]); at += 1; }
      continue;
    }
    const [literal, distance] = kind === 1 ? fixed() : stated();
    for (let found = symbol(literal); found !== 256; found = symbol(literal)) {
      if (found < 256) { put(found); continue; }
      const length = bases[found - 257] + bits(EXTRA[found - 257]), way = symbol(distance);
      const back = ways[way] + bits(way >> 1 ? (way >> 1) - 1 : 0);
      for (let each = 0; each < length; each += 1) put(out[size - back]);
    }
  }
  return out.subarray(0, size);
}
