import assert from 'node:assert/strict';
import test from 'node:test';

import { find } from '../js/text/match.js';
import { split, units } from '../js/text/ranges.js';

/** marked gives the marked words, "*" before those that stand out. */
const marked = (texts, found) => found.marks.map((m) => (m.strong ? '*' : '') + texts[m.piece].slice(m.from, m.to));

test('a passage over several pieces', () => {
  const page = ['1 Introduction', 'The PSS is an m-sequence', 'of length 127.', 'It is sent every 20 ms.'];
  const found = find(page, 'an m-sequence of length 127');
  assert.deepEqual(marked(page, found), ['an m-sequence', 'of length 127']);
  assert.equal(found.share, 1);
});

test('hyphens at line ends, ligatures, quotes and blanks make no difference', () => {
  const page = ['The ef\uFB01cient synchro-', 'nisation  signal', '\u201Cis\u201D sent'];
  assert.deepEqual(marked(page, find(page, 'efficient synchronisation signal "is" sent')), ['ef\uFB01cient synchro', 'nisation  signal', '\u201Cis\u201D sent']);
});

test('a soft hyphen and a combining accent', () => {
  const page = ['cafe\u0301 syn\u00ADchro'];
  assert.ok(find(page, 'café synchro').found);
});

test('what matched stands out', () => {
  const page = ['the primary synchronization signal is sent'];
  assert.deepEqual(marked(page, find(page, 'primary synchronization signal', [[8, 23]])), ['primary ', '*synchronization', ' signal']);
});

test('columns in another order are found in parts', () => {
  const page = ['right column begins here and goes on for long', 'left column begins here and goes on as well'];
  const found = find(page, 'left column begins here and goes on as well right column begins here and goes on for long');
  assert.ok(found.found);
  assert.equal(found.marks.length, 2);
});

test('a word that is read differently leaves the rest', () => {
  const page = ['The threshold is set to 0.87 of the highest correlation peak in the window'];
  const found = find(page, 'The threshold is set to O.87 of the highest correlation peak in the window');
  assert.ok(found.found && found.share > 0.6 && found.share < 1);
});

test('what is not there is not found', () => {
  const page = ['Completely different words about gardening and the growing of tomatoes'];
  assert.deepEqual(find(page, 'The PSS is an m-sequence of length 127'), { found: false, share: 0, marks: [] });
  assert.equal(find([], 'words').found, false);
  assert.equal(find(page, '').found, false);
});

test('a passage that goes on on the next page is found by its first part', () => {
  const first = 'a long first part of the passage that stands at the end of this page and is more than enough to know it by ';
  assert.ok(find([first], first + 'something else follows on the next page. '.repeat(10)).found);
});

test('long pages do not take long', () => {
  const page = Array.from({ length: 4000 }, (_, i) => `line ${i} aaaaaaaaaa aaaaaaaaaa aaaaaaaaaa`);
  find(page, 'aaaaaaaaab'.repeat(400));
});

test('byte ranges become ranges of the string', () => {
  const text = 'größe \u{1F50E} ok';
  // g r ö(2) ß(2) e blank lens(4) blank o k
  assert.deepEqual(units(text, [[2, 6], [8, 12]]), [[2, 4], [6, 8]]);
  assert.deepEqual(split(text, [[2, 4]]), [{ text: 'gr', mark: false }, { text: 'öß', mark: true }, { text: 'e \u{1F50E} ok', mark: false }]);
});

test('odd ranges do no harm', () => {
  assert.deepEqual(units('abc', [[2, 99], [5, 7], [1, 1]]), [[2, 3]]);
  assert.deepEqual(units('abcdef', [[3, 5], [0, 4]]), [[0, 4], [4, 5]]);
  assert.deepEqual(units('é', [[1, 2]]), []);
  assert.deepEqual(units('abc', undefined), []);
});
