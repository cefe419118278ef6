package chunk_test

import (
	"fmt"

	"github.com/findspot/findspot/chunk"
)

// Each passage is a slice of the text, so that it can be shown where it stands.
func ExampleSentences() {
	text := "The cell is searched. Its raster is 5 MHz. Then the sequence is found."
	for _, c := range chunk.Sentences(&chunk.SentencesOptions{Runes: 45}).Split(text) {
		fmt.Printf("%d to %d: %q\n", c.Start, c.End, c.Text)
	}
	// Output:
	// 0 to 43: "The cell is searched. Its raster is 5 MHz. "
	// 43 to 70: "Then the sequence is found."
}
