// The proof of an answer, to save: its PDFs with what it cites highlighted, or a bundle with all that proves it.

import { stream } from '../core/api.js';
import { count, el, fill } from '../core/dom.js';
import { save } from '../core/save.js';
import { isPDF } from '../source/pdf.js';

const base = (name) => name.split('/').pop();

/** pdfs are the PDFs that a sealed answer cites, each once, by first citation: [id, name]. */
function pdfs(answer) {
  const found = new Map();
  for (const { at } of answer.items || []) if (at?.doc && !at.path && isPDF(at)) found.set(at.doc, at.name);
  return [...found];
}

/** collect reads a stream of bytes with something at its end. */
async function collect(method, message, signal) {
  const parts = [];
  let done = {};
  for await (const e of stream(method, message, { signal })) {
    if (e.data) parts.push(Uint8Array.from(atob(e.data), (c) => c.charCodeAt(0)));
    if (e.done) done = e.done;
  }
  return { parts, done };
}

/** mark saves a PDF with everything marked that the answer cites of it, and says what came of it. */
async function mark(answer, [doc, name], signal) {
  const { parts, done } = await collect('MarkDocument', { doc, answer }, signal);
  const marks = done.marks || [];
  const missing = marks.filter((m) => m.missing).length;
  if (!parts.length) return `${base(name)} is not saved: nothing of what the answer cites was found in its text.`;
  const file = base(name).replace(/\.pdf$/i, '') + '-marked.pdf';
  save(new Blob(parts, { type: 'application/pdf' }), file);
  const pages = new Set(marks.flatMap((m) => (m.places || []).map((p) => p.page)));
  return `${file}: marks on ${count(pages.size, 'page')}${missing ? `. ${count(missing, 'passage')} could not be found in its text` : ''}.`;
}

/** bundle saves an archive of the answer with all that proves it, and says what is in it. */
async function bundle(answer, signal) {
  const { parts, done } = await collect('WriteBundle', { answer }, signal);
  const file = 'findspot-proof.zip';
  save(new Blob(parts, { type: 'application/zip' }), file);
  const plain = (done.documents || []).filter((d) => d.reason).map((d) => ` ${base(d.name)} is in it without marks: ${d.reason}.`);
  return `${file}: ${count(done.files?.length, 'file')}, begin with answer.html.${plain.join('')}`;
}

/**
 * proof draws what an answer offers of its proof.
 * @param {object} answer sealed, as its file has it
 * @param {AbortSignal} signal ends what is being made
 * @returns {HTMLElement|null} null where it cites nothing
 */
export function proof(answer, signal) {
  if (!answer.items?.length) return null;
  const cited = pdfs(answer);
  const said = el('p', { class: 'small', role: 'status' });
  const button = (label, title, working, make) => {
    const b = el('button', { type: 'button', title, onclick: async () => {
      if (b.getAttribute('aria-busy')) return; // it stays enabled, or it would lose the focus
      b.setAttribute('aria-busy', 'true');
      tell(working);
      try {
        tell(await make());
      } catch (err) {
        if (err.name !== 'AbortError') tell(err.message, true);
      } finally {
        b.removeAttribute('aria-busy');
      }
    } }, label);
    return b;
  };
  const tell = (words, bad) => {
    said.className = bad ? 'note error' : 'small soft';
    fill(said, words);
  };
  const which = cited.length > 1 ? el('select', { 'aria-label': 'PDF to mark' }, cited.map(([id, name]) => el('option', { value: id }, base(name)))) : null;
  return el('div', { class: 'proof', role: 'group', 'aria-label': 'Proof of this answer' },
    el('div', { class: 'row' },
      cited.length ? el('div', { class: 'marking' }, which, button('Marked PDF', 'A copy of the PDF with what the answer cites highlighted', 'Marking the PDF', () => mark(answer, cited.find(([id]) => !which || id === which.value), signal))) : null,
      button('Bundle', 'The answer with all that proves it, as a ZIP archive', 'Making the bundle', () => bundle(answer, signal))),
    said);
}
