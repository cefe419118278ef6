// Calls of the service. Every address is relative to the page, so that it works behind a prefix as well.

import { Opener, envelope } from './envelope.js';

const base = new URL('.', document.baseURI);
const service = new URL('findspot.v1.Findspot/', base);

/** ApiError is what a call failed with: a code of Connect such as "not_found", and words for people. */
export class ApiError extends Error {
  constructor(code, message) {
    super(message || code);
    this.code = code;
  }
}

let askForToken = null; // set by onToken: shows the form and gives what was entered

/** onToken says who asks for a token when the server wants one. */
export function onToken(ask) {
  askForToken = ask;
}

/** takeToken keeps a token that the address brings (#token=...), and takes it out of the address and the history. */
export function takeToken() {
  const found = /^#token=([^&]+)(?:&(.*))?$/.exec(location.hash);
  if (!found) return;
  sessionStorage.setItem('token', decodeURIComponent(found[1]));
  history.replaceState(null, '', found[2] ? '#' + found[2] : location.pathname + location.search);
}

/** headers gives what a request needs to be let in. */
export function headers() {
  const token = sessionStorage.getItem('token');
  return token ? { Authorization: 'Bearer ' + token } : {};
}

/** fileURL is the address of a document's original. */
export function fileURL(id) {
  return new URL(`documents/${encodeURIComponent(id)}/file`, base).href;
}

async function send(url, init) {
  for (;;) {
    let res;
    try {
      res = await fetch(url, { ...init, headers: { ...init.headers, ...headers() }, cache: 'no-store', credentials: 'same-origin', redirect: 'error' });
    } catch (err) {
      if (err.name === 'AbortError') throw err;
      throw new ApiError('unavailable', 'The server does not answer. Is findspot still running?');
    }
    if (res.status !== 401 || !askForToken) return res;
    const token = await askForToken(sessionStorage.getItem('token') !== null);
    if (!token) return res;
    sessionStorage.setItem('token', token);
  }
}

async function failure(res) {
  const text = await res.text().catch(() => '');
  try {
    const body = JSON.parse(text);
    return new ApiError(body.code || 'unknown', body.message || body.error || `the server answers ${res.status}`);
  } catch {
    return new ApiError('unknown', text.trim().slice(0, 300) || `the server answers ${res.status} ${res.statusText}`);
  }
}

/**
 * call asks one thing and gives the answer's JSON.
 * @param {string} method
 * @param {object} [message]
 * @param {{signal?: AbortSignal}} [o]
 */
export async function call(method, message = {}, o = {}) {
  const res = await send(new URL(method, service), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Connect-Protocol-Version': '1' },
    body: JSON.stringify(message),
    signal: o.signal,
  });
  if (!res.ok) throw await failure(res);
  return res.json();
}

/**
 * stream asks one thing and gives the messages as they come. Leaving the loop ends the call.
 * @param {string} method
 * @param {object} message
 * @param {{signal?: AbortSignal}} [o]
 */
export async function* stream(method, message, o = {}) {
  const res = await send(new URL(method, service), {
    method: 'POST',
    headers: { 'Content-Type': 'application/connect+json', 'Connect-Protocol-Version': '1' },
    body: envelope(message),
    signal: o.signal,
  });
  if (!res.ok) throw await failure(res);
  const reader = res.body.getReader();
  const opener = new Opener();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new ApiError('unavailable', 'The answer broke off. Is findspot still running?');
      for (const { end, message: m } of opener.push(value)) {
        if (!end) yield m;
        else if (m.error) throw new ApiError(m.error.code, m.error.message);
        else return;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** fetchFile gets a document's original, or throws an ApiError. */
export async function fetchFile(id, o = {}) {
  const res = await send(fileURL(id), { signal: o.signal });
  if (!res.ok) throw await failure(res);
  return res;
}
