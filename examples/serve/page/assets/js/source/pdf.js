// One page of a PDF, drawn by pdf.js, with a passage marked. Nothing of the file can act: pdf.js draws on a canvas and lays selectable text
// over it; links, forms and scripts are never made.

import { fileURL, fetchFile, headers } from '../core/api.js';
import { el, fill } from '../core/dom.js';
import { find } from '../text/match.js';

const LIBRARY = new URL('../../pdfjs/', import.meta.url);
const MOST_PIXELS = 16e6; // of a page's picture: a page may say that it is a mile wide
const KEPT = 3; // documents that stay open, so that going back is quick

let library = null;
let spare = null; // a worker that waits for a document
const files = new Map(); // id -> promise of a pdf.js document, least used first
const workers = new WeakMap(); // of documents: each has its own, so that a file that keeps one busy keeps no other from being shown

/** isPDF reports whether a document, or the place of a piece in one, is a PDF. */
export const isPDF = (named) => /\.pdf$/i.test(named?.name || '');

function prepare() {
  library ??= import(new URL('pdf.min.mjs', LIBRARY).href).then((pdfjs) => {
    pdfjs.GlobalWorkerOptions.workerSrc = new URL('pdf.worker.min.mjs', LIBRARY).href;
    return pdfjs;
  });
  return library;
}

/** prepareLater loads pdf.js, and starts its worker, once the browser has nothing else to do. */
export function prepareLater() {
  if (library) return;
  (globalThis.requestIdleCallback || setTimeout)(() => prepare().then((pdfjs) => (spare ??= files.size ? null : new pdfjs.PDFWorker({ verbosity: 0 }))).catch(() => {}));
}

async function load(id) {
  const pdfjs = await prepare();
  const worker = spare || new pdfjs.PDFWorker({ verbosity: 0 });
  spare = null;
  const task = pdfjs.getDocument({
    worker,
    url: fileURL(id),
    httpHeaders: headers(),
    cMapUrl: new URL('cmaps/', LIBRARY).href,
    cMapPacked: true,
    standardFontDataUrl: new URL('fonts/', LIBRARY).href,
    wasmUrl: new URL('wasm/', LIBRARY).href,
    enableXfa: false,
    maxImageSize: MOST_PIXELS * 4,
    stopAtErrors: false,
    verbosity: 0,
  });
  try {
    const pdf = await task.promise;
    workers.set(pdf, worker);
    return pdf;
  } catch (err) {
    task.destroy().finally(() => worker.destroy());
    if (err?.name === 'PasswordException') throw new Error('The PDF asks for a password.');
    if (err?.status === 401) await fetchFile(id); // asks for the token
    if (err?.status === 404 || err?.name === 'MissingPDFException') throw new Error('The original file is not kept here.');
    throw err;
  }
}

function file(id, version) {
  const key = id + '@' + version;
  let opened = files.get(key);
  files.delete(key);
  opened ??= load(id);
  files.set(key, opened);
  opened.catch(() => files.delete(key));
  for (const [old, promise] of files) {
    if (files.size <= KEPT) break;
    files.delete(old);
    promise.then((pdf) => pdf.loadingTask.destroy().finally(() => workers.get(pdf).destroy())).catch(() => {});
  }
  return opened;
}

/**
 * @typedef {object} Wanted
 * @property {string} id of the document
 * @property {string} version its hash: another content is another file
 * @property {number} page from 1
 * @property {string} text the passage, "" for none
 * @property {[number, number][]} strong ranges of text that stand out
 * @property {{x0: number, y0: number, x1: number, y1: number}[]} boxes where the passage stands, in points from the top left, for when the text
 *   of the page does not have it
 */

/** PDFPage draws into an element. Each call of show replaces what is drawn. */
export class PDFPage {
  #root;
  #wanted = null;
  #drawn = null; // the page's elements and width, to draw again when the width changes
  #turn = 0;
  #task = null;
  #resized;

  constructor(root) {
    this.#root = root;
    let timer;
    this.#resized = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (this.#drawn && Math.abs(this.#drawn.width - root.clientWidth) > 24) this.#draw(false).catch(() => {});
      }, 150);
    });
    this.#resized.observe(root);
  }

  /**
   * show draws a page and resolves to how the marking went: "marked", "boxed", "missing" or "none" (nothing was to be marked).
   * @param {Wanted} wanted
   */
  show(wanted) {
    this.#wanted = wanted;
    return this.#draw(true);
  }

  close() {
    this.#turn++;
    this.#task?.cancel();
    this.#resized.disconnect();
  }

  async #draw(scroll) {
    const turn = ++this.#turn;
    const wanted = this.#wanted;
    const stale = () => turn !== this.#turn;
    const pdf = await file(wanted.id, wanted.version);
    if (stale()) return 'none';
    const page = await pdf.getPage(Math.min(Math.max(1, wanted.page), pdf.numPages));
    if (stale()) return 'none';

    const width = this.#root.clientWidth;
    const whole = page.getViewport({ scale: 1 });
    const scale = Math.max(0.1, width / whole.width);
    const viewport = page.getViewport({ scale });
    let sharp = Math.min(globalThis.devicePixelRatio || 1, 3);
    sharp = Math.min(sharp, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)));
    const canvas = el('canvas', { 'aria-hidden': 'true' });
    canvas.width = Math.max(1, Math.floor(viewport.width * sharp));
    canvas.height = Math.max(1, Math.floor(viewport.height * sharp));
    this.#task?.cancel();
    this.#task = page.render({ canvas, viewport, transform: sharp === 1 ? null : [sharp, 0, 0, sharp, 0, 0] });
    this.#task.promise.catch(() => {}); // another page may be wanted before anybody waits for this one

    const pdfjs = await prepare();
    const layer = el('div', { class: 'text-layer' });
    const sheet = el('div', { class: 'sheet', role: 'group', 'aria-label': `Page ${wanted.page}` }, canvas, layer);
    sheet.style.setProperty('--scale-factor', scale);
    sheet.style.setProperty('--total-scale-factor', scale);
    sheet.style.setProperty('--user-unit', page.userUnit || 1);
    sheet.style.width = `${Math.floor(viewport.width)}px`;
    sheet.style.height = `${Math.floor(viewport.height)}px`;

    const text = new pdfjs.TextLayer({ textContentSource: await page.getTextContent(), container: layer, viewport });
    const [drawn] = await Promise.allSettled([this.#task.promise, text.render()]);
    if (stale()) return 'none';
    if (drawn.status === 'rejected' && drawn.reason?.name !== 'RenderingCancelledException') throw drawn.reason;
    const how = mark(text, sheet, wanted, scale);
    fill(this.#root, sheet);
    this.#drawn = { width };
    if (scroll) this.#root.querySelector('mark, .box')?.scrollIntoView({ block: 'center', behavior: 'instant' });
    return how;
  }
}

function mark(text, sheet, wanted, scale) {
  if (!wanted.text && !wanted.boxes.length) return 'none';
  const { found, marks } = find(text.textContentItemsStr, wanted.text, wanted.strong);
  if (found) {
    const byPiece = group(marks);
    for (const [piece, list] of byPiece) {
      const span = text.textDivs[piece];
      const s = text.textContentItemsStr[piece];
      const parts = [];
      let at = 0;
      for (const m of list) {
        parts.push(s.slice(at, m.from), el('mark', { class: m.strong ? 'strong' : null }, s.slice(m.from, m.to)));
        at = m.to;
      }
      fill(span, parts, s.slice(at));
    }
    return 'marked';
  }
  for (const b of wanted.boxes) {
    const box = el('div', { class: 'box' });
    Object.assign(box.style, { left: `${b.x0 * scale}px`, top: `${b.y0 * scale}px`, width: `${(b.x1 - b.x0) * scale}px`, height: `${(b.y1 - b.y0) * scale}px` });
    sheet.append(box);
  }
  return wanted.boxes.length ? 'boxed' : 'missing';
}

function group(marks) {
  const by = new Map();
  for (const m of marks) by.set(m.piece, [...(by.get(m.piece) || []), m]);
  return by;
}
