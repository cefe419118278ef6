// Dark and light: the system's choice until the reader makes one, which this browser remembers.

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' };
const NAMES = { auto: 'Auto', light: 'Light', dark: 'Dark' };

/** theme wires the switch and applies what was chosen before. */
export function theme(button) {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('theme') || 'auto';
  } catch {
    // A browser that keeps nothing starts with the system's choice each time.
  }
  if (!NAMES[chosen]) chosen = 'auto';
  const apply = () => {
    if (chosen === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    button.textContent = NAMES[chosen];
    button.setAttribute('aria-label', `Colours: ${NAMES[chosen]}. Change to ${NAMES[NEXT[chosen]]}`);
    button.title = 'Colours (d)';
  };
  button.addEventListener('click', () => {
    chosen = NEXT[chosen];
    try {
      localStorage.setItem('theme', chosen);
    } catch {
      // It holds until the page is left.
    }
    apply();
  });
  apply();
}
