// The address bar holds what is seen: #/view/part?name=value. Reload, bookmarks, back and forward work because views draw from it alone.

/**
 * parse reads a fragment. Anything unreadable is the empty route.
 * @param {string} hash
 * @returns {{path: string[], params: Object<string, string>}}
 */
export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const params = {};
  for (const [k, v] of new URLSearchParams(query)) params[k] = v;
  const parts = path.split('/').filter(Boolean).map((p) => {
    try {
      return decodeURIComponent(p);
    } catch {
      return p;
    }
  });
  return { path: parts, params };
}

/**
 * address writes a route: address(['documents', id], {page: 3}). Values that say nothing are left out.
 * @param {string[]|string} path
 * @param {Object<string, any>} [params]
 */
export function address(path, params = {}) {
  const parts = [path].flat().map((p) => encodeURIComponent(p));
  const query = new URLSearchParams();
  for (const [k, v] of Object.entries(params)) {
    if (v !== undefined && v !== null && v !== '' && v !== false && v !== 0) query.set(k, v === true ? '1' : String(v));
  }
  const text = query.toString();
  return '#/' + parts.join('/') + (text ? '?' + text : '');
}

/** go leads to an address. With replace, the step leaves no trace in the history: for what is typed, not chosen. */
export function go(to, o = {}) {
  if (to === location.hash) return;
  if (o.replace) {
    history.replaceState(null, '', to);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  } else {
    location.hash = to;
  }
}

/** current is the route that the address bar holds. */
export function current() {
  return parse(location.hash);
}

/** change leads to the same view with some parameters changed. */
export function change(params, o = {}) {
  const { path, params: old } = current();
  go(address(path, { ...old, ...params }), o);
}
