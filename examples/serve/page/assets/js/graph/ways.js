// The ways through a code graph, and how the address writes what was opened along them.

/** The ways on from a node: their name, the edge, the direction, and how the address writes them. */
export const WAYS = [
  { code: 'callers', label: 'Callers', kind: 'invoke', direction: 'in' },
  { code: 'calls', label: 'Calls', kind: 'invoke', direction: 'out' },
  { code: 'contains', label: 'Contains', kind: 'contain', direction: 'out' },
  { code: 'within', label: 'Within', kind: 'contain', direction: 'in' },
  { code: 'bases', label: 'Inherits', kind: 'inherit', direction: 'out' },
  { code: 'subclasses', label: 'Inherited by', kind: 'inherit', direction: 'in' },
  { code: 'imports', label: 'Imports', kind: 'import', direction: 'out' },
  { code: 'importers', label: 'Imported by', kind: 'import', direction: 'in' },
];

/** RELATIONS are the kinds of edges, with the words for them. */
export const RELATIONS = { invoke: 'Calls', contain: 'Contains', inherit: 'Inherits', import: 'Imports' };

/**
 * readOpened reads what was opened from the address: words "way:id", blanks within ids as %20.
 * @param {string} text
 * @returns {{way: object, id: string}[]}
 */
export function readOpened(text) {
  return (text || '').split(' ').filter(Boolean).flatMap((word) => {
    const at = word.indexOf(':');
    const way = WAYS.find((w) => w.code === word.slice(0, at));
    if (!way) return [];
    try {
      return [{ way, id: decodeURIComponent(word.slice(at + 1)) }];
    } catch {
      return [];
    }
  });
}

/** writeOpened is the other direction. */
export function writeOpened(list) {
  return list.map((o) => `${o.way.code}:${o.id.replace(/[%\s]/g, encodeURIComponent)}`).join(' ');
}
