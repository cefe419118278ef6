// Where the nodes of a graph stand: in columns by their distance from the root, what leads to it on the left and what it leads to on the
// right. A column that would be too high is folded into several. Nothing here touches the page, so that it can be tested alone.

export const NODE = { width: 216, height: 30, gap: 8 };
const COLUMN_GAP = 84;
const FOLD_GAP = 20;
const ROWS = 24; // nodes in a column before it is folded; more where there are many, so that the picture does not become a ribbon

/**
 * layout places nodes.
 * @param {string[]} ids roots first
 * @param {{src: string, dst: string}[]} edges
 * @param {number} roots how many of ids are roots
 * @param {(id: string) => number} [widthOf] how wide a node must be, at most NODE.width; a column is as wide as its widest
 * @returns {{at: Map<string, {x: number, y: number, width: number, rank: number}>, ranks: Map<number, string[]>, width: number, height: number}} x and y of the
 *   top left corners, from 0
 */
export function layout(ids, edges, roots = 1, widthOf = () => NODE.width) {
  const { next } = neighbours(ids, edges);
  const rank = ranked(ids, next, roots);
  const ranks = new Map();
  for (const id of ids) {
    const r = rank.get(id);
    ranks.set(r, [...(ranks.get(r) || []), id]);
  }
  const numbers = [...ranks.keys()].sort((a, b) => a - b);
  order(ranks, numbers, next, rank);

  const rows = Math.max(ROWS, Math.ceil(Math.sqrt(ids.length) * 1.6));
  const step = NODE.height + NODE.gap;
  const at = new Map();
  let x = 0;
  let height = 0;
  for (const r of numbers) {
    const list = ranks.get(r);
    const wide = Math.min(NODE.width, Math.max(...list.map(widthOf)));
    const folds = Math.ceil(list.length / rows);
    const per = Math.ceil(list.length / folds);
    list.forEach((id, i) => {
      const fold = Math.floor(i / per);
      const inFold = Math.min(per, list.length - fold * per);
      at.set(id, { x: x + fold * (wide + FOLD_GAP), y: (i % per) * step - (inFold * step) / 2, width: wide, rank: r });
    });
    height = Math.max(height, per * step);
    x += folds * wide + (folds - 1) * FOLD_GAP + COLUMN_GAP;
  }
  for (const p of at.values()) p.y += height / 2;
  return { at, ranks: new Map(numbers.map((r) => [r, ranks.get(r)])), width: Math.max(0, x - COLUMN_GAP), height };
}

function neighbours(ids, edges) {
  const next = new Map(ids.map((id) => [id, []]));
  for (const e of edges) {
    if (e.src === e.dst || !next.has(e.src) || !next.has(e.dst)) continue;
    next.get(e.src).push([e.dst, 1]);
    next.get(e.dst).push([e.src, -1]);
  }
  return { next };
}

/** ranked gives each node its column: that of the node it was reached from, one on or one back. What nothing reaches stands with the roots. */
function ranked(ids, next, roots) {
  const rank = new Map();
  const queue = [];
  const put = (id, r) => {
    if (rank.has(id)) return;
    rank.set(id, r);
    queue.push(id);
  };
  for (const id of ids.slice(0, roots)) put(id, 0);
  for (let i = 0; i < queue.length; i++) for (const [other, way] of next.get(queue[i])) put(other, rank.get(queue[i]) + way);
  for (const id of ids) {
    put(id, 0);
  }
  return rank;
}

/** order sorts each column by where the neighbours nearer to the root stand, then by id, so that few edges cross. */
function order(ranks, numbers, next, rank) {
  const place = new Map();
  const note = (r) => ranks.get(r).forEach((id, i) => place.set(id, i / Math.max(1, ranks.get(r).length - 1)));
  const sort = (r, towards) => {
    const key = new Map();
    for (const id of ranks.get(r)) {
      const near = next.get(id).filter(([o]) => rank.get(o) === r + towards).map(([o]) => place.get(o)).filter((p) => p !== undefined);
      key.set(id, near.length ? near.reduce((a, b) => a + b, 0) / near.length : 0.5);
    }
    ranks.get(r).sort((a, b) => key.get(a) - key.get(b) || (a < b ? -1 : 1));
    note(r);
  };
  if (ranks.has(0)) note(0);
  for (const r of numbers.filter((n) => n > 0)) sort(r, -1);
  for (const r of numbers.filter((n) => n < 0).reverse()) sort(r, 1);
}
