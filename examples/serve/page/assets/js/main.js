// The frame: which view is open, the bar at the top, shortcuts, the theme, and files dropped anywhere.

import { onToken, takeToken } from './core/api.js';
import { el, fill, say } from './core/dom.js';
import { listen, shortcut, showKeys, viewKeys } from './core/keys.js';
import { address, current, go } from './core/route.js';
import { theme } from './core/theme.js';
import { acceptDrops } from './upload/drop.js';
import * as ask from './views/ask.js';
import * as code from './views/code.js';
import * as documents from './views/documents.js';
import * as graph from './views/graph.js';
import * as skills from './views/skills.js';
import * as status from './views/status.js';

/**
 * A view has a title and mount(root, route), which draws and gives {update(route), close()}: update is called when the address changes within
 * the view, close before another view takes its place.
 */
const VIEWS = [
  { name: 'ask', key: '1', label: 'Ask', view: ask },
  { name: 'documents', key: '2', label: 'Documents', view: documents },
  { name: 'code', key: '3', label: 'Code', view: code },
  { name: 'graph', key: '4', label: 'Graph', view: graph },
  { name: 'skills', key: '5', label: 'Skills', view: skills },
  { name: 'status', key: '6', label: 'Status', view: status },
];

/** nowhere is shown for an address that names no view. */
const nowhere = { name: 'nowhere', label: 'No such page', view: { mount(root) {
  root.append(el('div', { class: 'column' },
    el('header', { class: 'page-head' }, el('h1', { tabindex: -1 }, 'No such page')),
    el('p', {}, 'Nothing is at this address. ', el('a', { href: address(['ask']) }, 'Ask a question'), ' instead.')));
  return { update() {} };
} } };

const main = document.getElementById('main');
let open = null; // {name, handle}

function show() {
  const route = current();
  const chosen = route.path.length ? VIEWS.find((v) => v.name === route.path[0]) || nowhere : VIEWS[0];
  if (open?.name === chosen.name) {
    open.handle.update(route);
    return;
  }
  open?.handle.close?.();
  viewKeys();
  const first = open === null;
  fill(main);
  main.className = 'view-' + chosen.name;
  document.title = `${chosen.label} · findspot`;
  for (const a of document.querySelectorAll('#views a')) {
    if (a.dataset.view === chosen.name) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  }
  open = { name: chosen.name, handle: chosen.view.mount(main, route) };
  if (!first) {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
    say(chosen.label);
  }
}

/** tokenDialog asks for the token that the server wants; null when the reader gives up. */
let asking = null;
function tokenDialog(wrong) {
  asking ??= new Promise((resolve) => {
    const field = el('input', { type: 'password', autocomplete: 'off', spellcheck: 'false' });
    const dialog = el('dialog', { 'aria-labelledby': 'token-title', onclose: () => {
      asking = null;
      resolve(dialog.returnValue === 'enter' ? field.value.trim() : null);
      dialog.remove();
    } });
    const enter = () => field.value.trim() && dialog.close('enter');
    fill(dialog,
      el('h2', { id: 'token-title' }, 'This server asks for a token'),
      el('p', { class: 'soft' }, wrong ? 'The one that was given is not the right one.' : 'Who started it has it, in the file of --token-file or in FINDSPOT_TOKEN. It is kept until this tab is closed.'),
      el('label', { class: 'field' }, el('span', {}, 'Token'), field),
      el('div', { class: 'row' }, el('button', { type: 'button', onclick: () => dialog.close() }, 'Not now'), el('button', { type: 'button', class: 'main', onclick: enter }, 'Enter')));
    field.addEventListener('keydown', (e) => e.key === 'Enter' && enter());
    document.body.append(dialog);
    dialog.showModal();
    field.focus();
  });
  return asking;
}

takeToken();
onToken(tokenDialog);
theme(document.getElementById('theme'));
fill(document.getElementById('views'), VIEWS.map((v) => el('li', {}, el('a', { href: address([v.name]), 'data-view': v.name, 'aria-keyshortcuts': v.key }, v.label))));
document.getElementById('skip').addEventListener('click', (e) => {
  e.preventDefault(); // the fragment belongs to the routes
  main.focus();
});
document.getElementById('help').addEventListener('click', showKeys);
shortcut('/', 'Go to the field to ask or search in', () => document.querySelector('main [data-search]')?.focus());
for (const v of VIEWS) shortcut(v.key, v.label, () => go(address([v.name])));
shortcut('d', 'Change colours', () => document.getElementById('theme').click());
shortcut('?', 'These keys', showKeys);
listen();
acceptDrops(document.getElementById('dropping'));
window.addEventListener('hashchange', show);
show();
