// Saving what was fetched as a file of the reader's.

const RELEASE = 5000; // milliseconds after which a saved file leaves memory: some browsers read it only after the click

/**
 * save offers bytes as a file.
 * @param {Blob} blob
 * @param {string} name of the file
 */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE);
}
