import assert from 'node:assert/strict';
import test from 'node:test';

import { readOpened, writeOpened, WAYS } from '../js/graph/ways.js';
import { layout, NODE } from '../js/graph/layout.js';
import { address, parse } from '../js/core/route.js';

test('an address is read as it was written', () => {
  for (const [path, params] of [
    [['ask'], { q: 'who calls a.b & c?', at: 'D1' }],
    [['documents', 'a/b#c?'], { page: '3' }],
    [['graph'], { id: 'src/a b.py:C.m#2', x: 'callers:x%20y calls:z' }],
  ]) assert.deepEqual(parse(address(path, params)), { path, params });
});

test('what says nothing is left out', () => {
  assert.equal(address(['ask'], { q: '', at: undefined, page: 0 }), '#/ask');
  assert.deepEqual(parse(''), { path: [], params: {} });
  assert.deepEqual(parse('#/%E0%A4%A'), { path: ['%E0%A4%A'], params: {} });
});

test('opened nodes', () => {
  const list = [{ way: WAYS[0], id: 'a b.py:f' }, { way: WAYS[1], id: '100%:g' }];
  assert.deepEqual(readOpened(writeOpened(list)), list);
  assert.deepEqual(readOpened('nonsense callers:%'), []);
});

test('callers stand on the left, callees on the right, and no two nodes in one place', () => {
  const ids = ['root', ...Array.from({ length: 60 }, (_, i) => `in${i}`), ...Array.from({ length: 5 }, (_, i) => `out${i}`)];
  const edges = ids.slice(1).map((id) => (id.startsWith('in') ? { src: id, dst: 'root' } : { src: 'root', dst: id }));
  const { at, width, height } = layout(ids, edges);
  const places = [...at.values()];
  assert.equal(places.length, ids.length);
  assert.ok(at.get('in7').x + NODE.width < at.get('root').x);
  assert.ok(at.get('out1').x > at.get('root').x + NODE.width);
  for (const p of places) assert.ok(p.x >= 0 && p.y >= 0 && p.x + NODE.width <= width && p.y + NODE.height <= height + NODE.gap);
  const overlap = (a, b) => Math.abs(a.x - b.x) < NODE.width && Math.abs(a.y - b.y) < NODE.height;
  places.forEach((a, i) => places.slice(i + 1).forEach((b) => assert.ok(!overlap(a, b))));
});

test('circles, loops and strangers', () => {
  const { at } = layout(['a', 'b', 'c'], [{ src: 'a', dst: 'b' }, { src: 'b', dst: 'a' }, { src: 'a', dst: 'a' }, { src: 'a', dst: 'gone' }]);
  assert.equal(at.size, 3);
  assert.equal(layout([], []).at.size, 0);
});
