import assert from 'node:assert/strict';
import test from 'node:test';

import { Opener, envelope } from '../js/core/envelope.js';

const bytes = (...parts) => new Uint8Array(parts.flatMap((p) => (typeof p === 'string' ? [...new TextEncoder().encode(p)] : p)));

test('what is packed is opened again', () => {
  const message = { question: 'Was heißt „größer“? \u{1F50E}' };
  assert.deepEqual(new Opener().push(envelope(message)), [{ end: false, message }]);
});

test('a stream in pieces of every size gives the same messages', () => {
  const one = envelope({ piece: { item: { key: 'D1', text: 'é' } } });
  const end = bytes([2, 0, 0, 0, 2], '{}');
  const whole = new Uint8Array([...one, ...one, ...end]);
  for (let size = 1; size <= whole.length; size++) {
    const opener = new Opener();
    const got = [];
    for (let at = 0; at < whole.length; at += size) got.push(...opener.push(whole.subarray(at, at + size)));
    assert.equal(got.length, 3, `pieces of ${size}`);
    assert.equal(got[0].message.piece.item.text, 'é');
    assert.equal(got[2].end, true);
    assert.ok(opener.whole);
  }
});

test('an error comes with the end', () => {
  const body = '{"error":{"code":"not_found","message":"no such document"}}';
  const [{ end, message }] = new Opener().push(bytes([2, 0, 0, 0, body.length], body));
  assert.ok(end);
  assert.equal(message.error.code, 'not_found');
});

test('what is cut off is not whole', () => {
  const opener = new Opener();
  assert.deepEqual(opener.push(envelope({ a: 1 }).subarray(0, 8)), []);
  assert.equal(opener.whole, false);
});

test('broken streams are refused', () => {
  assert.throws(() => new Opener().push(bytes([1, 0, 0, 0, 2], '{}')), /compressed/);
  assert.throws(() => new Opener().push(bytes([0, 255, 255, 255, 255])), /bytes/);
  assert.throws(() => new Opener().push(bytes([0, 0, 0, 0, 1], '{')), SyntaxError);
});
