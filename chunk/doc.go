// Package chunk cuts a text into passages. It is pure: no I/O, no state, safe for concurrent use.
//
//	for _, c := range chunk.Fixed(nil).Split(text) {
//		fmt.Println(c.Start, c.End, c.Text)
//	}
//
// There are four rules. [Fixed] cuts hard after a number of runes and is what document indices of this module use by
// default. [Sentences] cuts at sentence ends and [Headings] at Markdown headings, where they stand. [Sections] begins a chunk at each
// heading it is told of, and repeats a little of one chunk in the next.
//
// Which one: for searching by words it hardly matters (docs/bench/vectors.md), and Fixed makes the fewest passages. Where vectors are made of passages,
// take Sections with a size that the model reads whole.
//
// Guarantees: every chunk is a slice of its input (Text == text[Start:End]), chunks come in order, are
// never empty and never split a UTF-8 sequence. Those of Sections may overlap, no others do. All but Fixed cover the whole text; Fixed may leave out a short
// last piece (see [FixedOptions]). Text that is not valid UTF-8 is cut as if each wrong byte were a rune.
//
// Limits: sentence ends are found by punctuation and case, for scripts that have them; Setext headings ("===" under a
// line) are not cut at.
package chunk
