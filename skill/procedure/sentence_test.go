package procedure

import (
	"fmt"
	"testing"
)

// TestLines: a line that ends though the next word had room ends its sentence, too.
func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"read the ticket\nsearch the manual for every symptom that it names\nrun the tests":                        "1 read; 2 search_docs; 3 run; ",
		"The looking\nSearch the papers for the two terms and for their\nsynonyms, and read what is found there.":  "2 search_docs; 2 read; ",
		"Search the papers for the two\nRead what is found in them, from the first page to the last":               "1 search_docs; 2 read; ",
		"Search the papers for what they\nSummarise Proceedings, and for it also":                                  "1 search_docs; ", // room, but not for so long a word
		"Search the papers for what they call\nRead the Manual, and\nwhy it is.":                                   "1 search_docs; ", // not all lines begin anew
		"Search the papers for what they call\nRead the Manual, and why.":                                          "1 search_docs; ", // no room for "Read"
		"Search the papers for any\nRead of theirs, which is a word for a part that was sequenced, or\nfor a run.": "1 search_docs; 2 other; ",
		"Once it is found,\nRun the tests of the module that has it, all of them, with the oldest version.":        "1 run; ",         // a comma goes on
		"Search the papers for\nReads, and for other names of the same procedure as there are, for the terms.":     "1 search_docs; ", // as does a preposition
		"Search the papers for any\nmention of the same procedure under another name than that of its maker.":      "1 search_docs; ", // a small letter, and no verb
	} {
		got := ""
		for _, st := range Read(text, 1).Steps {
			got += fmt.Sprintf("%d %s; ", st.Line, st.Kind)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
