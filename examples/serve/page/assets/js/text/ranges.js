// Ranges of a text. The service counts bytes of UTF-8, a browser counts units of UTF-16.

/**
 * units turns byte ranges of a text into ranges of its JavaScript string. What is out of bounds or within a character is moved to its edge.
 * @param {string} text
 * @param {[number, number][]} ranges by bytes, half-open
 * @returns {[number, number][]} sorted, without overlaps
 */
export function units(text, ranges) {
  if (!ranges?.length) return [];
  const sorted = ranges.map(([a, b]) => [Number(a), Number(b)]).filter(([a, b]) => b > a).sort((x, y) => x[0] - y[0]);
  const edges = [...new Set(sorted.flat())].sort((a, b) => a - b);
  const at = new Map();
  let byte = 0;
  let unit = 0;
  let e = 0;
  for (const ch of text) {
    while (e < edges.length && edges[e] <= byte) at.set(edges[e++], unit);
    byte += utf8(ch.codePointAt(0));
    unit += ch.length;
  }
  while (e < edges.length) at.set(edges[e++], unit);
  const out = [];
  for (const [a, b] of sorted) {
    const from = Math.max(at.get(a), out.length ? out.at(-1)[1] : 0);
    const to = at.get(b);
    if (to > from) out.push([from, to]);
  }
  return out;
}

function utf8(cp) {
  return cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
}

/**
 * split cuts a text at ranges.
 * @returns {{text: string, mark: boolean}[]}
 */
export function split(text, ranges) {
  const out = [];
  let at = 0;
  for (const [from, to] of ranges) {
    if (from > at) out.push({ text: text.slice(at, from), mark: false });
    out.push({ text: text.slice(from, to), mark: true });
    at = to;
  }
  if (at < text.length) out.push({ text: text.slice(at), mark: false });
  return out;
}
