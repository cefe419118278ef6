// Making elements. Text becomes text nodes only: nothing in the page ever parses markup, so that a document's name or words stay words.

/**
 * el makes an element: el('a', {class: 'key', href: '#/ask'}, 'D1').
 * Properties that start with "on" are listeners; false, null and undefined are left out; true is an empty attribute.
 * @param {string} tag
 * @param {Object<string, any>} [props]
 * @param {...(Node|string|number|null|undefined|false|Array)} children
 * @returns {HTMLElement}
 */
export function el(tag, props, ...children) {
  const node = document.createElement(tag);
  set(node, props);
  append(node, children);
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

/** svg is el for the elements of a picture. */
export function svg(tag, props, ...children) {
  const node = document.createElementNS(SVG, tag);
  set(node, props);
  append(node, children);
  return node;
}

function set(node, props) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value') node.value = value;
    else if (name === 'checked' || name === 'disabled' || name === 'indeterminate') node[name] = value;
    else node.setAttribute(name, value === true ? '' : String(value));
  }
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === '') continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/** fill replaces what an element holds. */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

let lastSaid = 0;

/** say has screen readers read a short sentence, after what they are reading now. */
export function say(text) {
  const region = document.getElementById('said');
  if (!region) return;
  // The same sentence twice would not be read again: every other one ends with a space that is not heard.
  region.textContent = text + (lastSaid++ % 2 ? '\u00a0' : '');
}

/** count writes "1 page", "2 pages", "1,204 pages". */
export function count(n, one, many = one + 's') {
  return `${number(n)} ${Number(n) === 1 ? one : many}`;
}

const digits = new Intl.NumberFormat('en');

/** number writes a number with its thousands apart; int64 values come as strings. */
export function number(n) {
  return digits.format(Number(n || 0));
}

/** bytes writes a size: "412 kB". */
export function bytes(n) {
  n = Number(n || 0);
  if (n < 1000) return `${n} B`;
  for (const unit of ['kB', 'MB', 'GB', 'TB']) {
    n /= 1000;
    if (n < 999.5) return `${n < 10 ? n.toFixed(1) : Math.round(n)} ${unit}`;
  }
  return `${Math.round(n)} TB`;
}

/** ago writes how long ago a time was, in one unit. An unknown time is "". */
export function ago(time, now = Date.now()) {
  const at = Date.parse(time);
  if (!Number.isFinite(at) || at <= 0) return '';
  const s = Math.max(0, Math.round((now - at) / 1000));
  if (s < 5) return 'just now';
  const units = [[60, 's', 1], [3600, 'min', 60], [86400, 'h', 3600], [Infinity, 'd', 86400]];
  for (const [below, unit, size] of units) if (s < below) return `${Math.floor(s / size)} ${unit} ago`;
}

/** later calls f once the calls stop coming for ms milliseconds. */
export function later(f, ms) {
  let timer;
  const wrapped = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(f, ms, ...args);
  };
  wrapped.cancel = () => clearTimeout(timer);
  return wrapped;
}
