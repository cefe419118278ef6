// Package chunk cuts a text into passages. It does no I/O, keeps no state and is safe for concurrent use.
//
//	for _, c := range chunk.Fixed(nil).Split(text) {
//		fmt.Println(c.Start, c.End, c.Text)
//	}
//
// There are four rules. [Fixed] cuts after a given number of runes, and is the default of package docsearch.
// [Sentences] cuts at the ends of sentences, [Headings] at the Markdown headings in the text. [Sections] begins a chunk
// at each heading that the caller gives, and repeats the end of a chunk at the start of the next.
//
// Which one: for search by words it hardly matters (docs/bench/vectors.md), and Fixed makes the fewest passages. If
// passages get vectors, use Sections with a size that the model reads whole.
//
// Guarantees: every chunk is a slice of its input (Text == text[Start:End]). Chunks are in order, are never empty and
// never split a UTF-8 sequence. Only chunks of Sections may overlap. All rules except Fixed cover the whole text; Fixed
// may leave out a short last piece (see [FixedOptions]). In text that is not valid UTF-8 each wrong byte counts as a
// rune.
//
// Limits: ends of sentences are found by punctuation and case, for scripts that have them. Setext headings (underlined
// with "===") are not recognised.
package chunk
