// Package written reads answers as people and models write them, plain or in Markdown, and says of each sentence whether its evidence says what it claims.
//
// A sentence cites keys in square brackets. What a key stands for is known to the caller, or said in the text itself:
//
//   - an address in the brackets: [paper.pdf p. 3, l. 10-14], [receiver/pss.py:10-24], [paper.pdf#page=3];
//   - a line that says what a key is: [D1] "Title" p. 3, l. 10-14 (paper.pdf), as findspot prints its evidence, [^1]: notes.md l. 3,
//     or ### C1: receiver/pss.py:10-24. Such lines, and what is quoted below them, are no claims.
//
// Addresses are looked up in sources, whose text alone counts.
package written
