// Finding a passage in the text of a page. The passage comes from our own reading of the file, the page's text from pdf.js: they agree on
// letters, not on spaces, hyphens at line ends, ligatures or the order of columns. So letters are compared and the rest is stepped over.

const SEED = 20; // letters that must agree before two places are taken for the same
const SKIP = 5; // letters that are passed where they do not
const ENOUGH = 0.5; // share of the passage that makes it found
const RUN = 60; // or as many letters in one run: the passage goes on on the next page

/**
 * fold keeps what is compared, lower case and in compatibility form, and where each unit came from.
 * @param {string[]} texts pieces in reading order
 * @returns {{text: string, piece: number[], at: number[]}}
 */
export function fold(texts) {
  let text = '';
  const piece = [];
  const at = [];
  texts.forEach((s, p) => {
    let i = 0;
    for (const ch of s) {
      const folded = letters(ch);
      for (let k = 0; k < folded.length; k++) {
        piece.push(p);
        at.push(i);
      }
      text += folded;
      i += ch.length;
    }
  });
  return { text, piece, at };
}

// Spaces, controls, marks of their own, hyphens and dashes of all kinds, and what has no shape.
const PASSED = /[\s\p{C}\p{Pd}\p{M}\u00ad\u2212]/gu;
const plain = new Map();

function letters(ch) {
  let folded = plain.get(ch);
  if (folded === undefined) {
    folded = ch.normalize('NFKD').toLowerCase().replace(PASSED, '').replace(/[\u2018\u2019\u201a\u2032`]/g, "'").replace(/[\u201c\u201d\u201e\u2033\u00ab\u00bb]/g, '"');
    if (plain.size < 5000) plain.set(ch, folded);
  }
  return folded;
}

/**
 * find looks for a passage in pieces of text.
 * @param {string[]} texts the page, in pieces
 * @param {string} passage
 * @param {[number, number][]} [strong] ranges of the passage, in UTF-16 units, that are to stand out
 * @returns {{found: boolean, share: number, marks: {piece: number, from: number, to: number, strong: boolean}[]}}
 */
export function find(texts, passage, strong = []) {
  const page = fold(texts);
  const want = fold([passage]);
  const runs = agree(page.text, want.text);
  const seen = runs.reduce((n, r) => n + r.size, 0);
  const share = want.text.length ? seen / want.text.length : 0;
  const found = share >= ENOUGH || runs.some((r) => r.size >= RUN);
  if (!found) return { found: false, share, marks: [] };
  // Each unit of the page: 0 unmarked, 1 marked, 2 standing out.
  const level = new Uint8Array(page.text.length);
  for (const r of runs) {
    for (let k = 0; k < r.size; k++) {
      const i = want.at[r.want + k];
      level[r.page + k] = strong.some(([from, to]) => i >= from && i < to) ? 2 : 1;
    }
  }
  return { found: true, share, marks: marks(texts, page, level) };
}

/** agree gives the runs of letters that both have, in the order of the passage. */
function agree(page, want) {
  const whole = page.indexOf(want);
  if (want && whole >= 0) return [{ page: whole, want: 0, size: want.length }];
  const runs = [];
  let from = 0; // of the page: behind the last run, where the next one is expected
  let done = 0; // of the passage
  for (let i = 0; i + SEED <= want.length; ) {
    const seed = want.substr(i, SEED);
    let p = page.indexOf(seed, from);
    if (p < 0) p = page.indexOf(seed);
    if (p < 0) {
      i += SKIP;
      continue;
    }
    let size = SEED;
    while (i + size < want.length && page[p + size] === want[i + size]) size++;
    let back = 0;
    while (i - back > done && p - back > 0 && page[p - back - 1] === want[i - back - 1]) back++;
    runs.push({ page: p - back, want: i - back, size: size + back });
    i += size;
    done = i;
    from = p + size;
  }
  return runs;
}

/** marks joins marked units of a piece into ranges; spaces between two marked units are marked with them. */
function marks(texts, page, level) {
  const out = [];
  for (let u = 0; u < level.length; u++) {
    if (!level[u]) continue;
    const p = page.piece[u];
    const from = page.at[u];
    const end = from + width(texts[p], from);
    const last = out.at(-1);
    const joins = last && last.piece === p && u > 0 && level[u - 1] === level[u];
    if (joins) last.to = Math.max(last.to, end);
    else if (last && last.piece === p && u > 0 && level[u - 1]) out.push({ piece: p, from: last.to, to: end, strong: level[u] === 2 });
    else out.push({ piece: p, from, to: end, strong: level[u] === 2 });
  }
  // A space between a plain and a strong part belongs to the plain one.
  for (let k = 1; k < out.length; k++) {
    const a = out[k - 1];
    const b = out[k];
    if (a.piece !== b.piece || a.to !== b.from) continue;
    const gap = /^\s+/.exec(texts[b.piece].slice(b.from, b.to));
    if (gap && b.strong) {
      a.to += gap[0].length;
      b.from = a.to;
    }
  }
  return out;
}

const width = (s, i) => (s.codePointAt(i) > 0xffff ? 2 : 1);
