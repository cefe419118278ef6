// Files and folders that are dropped on the page or picked.

import { call } from '../core/api.js';
import { say } from '../core/dom.js';
import { add } from './queue.js';

const MOST = 10_000; // files of one drop: what is more is better read from the server's own disk

/** acceptDrops lets files be dropped anywhere; veil is shown while they hover. */
export function acceptDrops(veil) {
  let depth = 0;
  const files = (e) => [...(e.dataTransfer?.types || [])].includes('Files');
  document.addEventListener('dragenter', (e) => {
    if (!files(e)) return;
    e.preventDefault();
    depth++;
    veil.hidden = false;
  });
  document.addEventListener('dragover', (e) => files(e) && e.preventDefault());
  document.addEventListener('dragleave', (e) => {
    if (files(e) && --depth <= 0) {
      depth = 0;
      veil.hidden = true;
    }
  });
  document.addEventListener('drop', async (e) => {
    if (!files(e)) return;
    e.preventDefault();
    depth = 0;
    veil.hidden = true;
    // The entries must be taken before the first wait: afterwards the drop is over for the browser.
    const entries = [...e.dataTransfer.items].map((i) => i.webkitGetAsEntry?.()).filter(Boolean);
    const plain = [...e.dataTransfer.files];
    take(entries.length ? await walk(entries) : plain.map((file) => ({ path: file.name, file })));
  });
}

/** pick takes what a file field holds. */
export function pick(list) {
  take([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

async function walk(entries) {
  const out = [];
  const todo = [...entries];
  while (todo.length && out.length < MOST) {
    const entry = todo.shift();
    if (entry.name.startsWith('.')) continue;
    if (entry.isFile) {
      const file = await new Promise((ok) => entry.file(ok, () => ok(null)));
      if (file) out.push({ path: entry.fullPath.replace(/^\//, ''), file });
      continue;
    }
    const reader = entry.createReader();
    for (;;) {
      const part = await new Promise((ok) => reader.readEntries(ok, () => ok([])));
      if (!part.length) break;
      todo.push(...part);
    }
  }
  return out;
}

/** take adds files that can be read; of a folder others are left out without a word for each. */
async function take(found) {
  let formats = [];
  try {
    formats = (await call('Status')).formats || [];
  } catch {
    // Then the server says of each file whether it can be read.
  }
  const endings = formats.map((f) => '.' + f.replace(/^\./, '').toLowerCase());
  const readable = (path) => !endings.length || endings.some((e) => path.toLowerCase().endsWith(e));
  const alone = found.length === 1;
  const wanted = found.filter((f) => alone || readable(f.path));
  add(named(wanted));
  if (wanted.length < found.length) say(`${found.length - wanted.length} files of other kinds were left out`);
}

/**
 * named gives each file its name in the library. Names have no folders, so files of one name get as many of their folders as tell them apart.
 * @param {{path: string, file: File}[]} files
 */
export function named(files) {
  const names = files.map((f) => f.path.split('/').pop());
  const taken = new Map();
  for (const n of names) taken.set(n, (taken.get(n) || 0) + 1);
  return files.map((f, i) => ({ file: f.file, name: taken.get(names[i]) > 1 ? f.path.split('/').join(' - ') : names[i] }));
}
