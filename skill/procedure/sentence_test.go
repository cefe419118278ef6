package procedure

import (
	"fmt"
	"strings"
	"testing"
)

// TestProseItems: a line that begins with a number, an initial or a dash begins an item only where it cannot go on with a sentence.
func TestProseItems(t *testing.T) {
	for text, want := range map[string]string{
		"2.1 Search the papers\n2.2 tests green on main\nA. Read one.\nB. The owner signs.": "Search the papers|tests green on main|Read one.|The owner signs.",
		"Preparation\n– Look for it.\n– not more.":                                          "Look for it.|not more.",
		"Preparation\nA. The lead.\nB. The owner.":                                          "The lead.|The owner.",
		"A. Search for it\n  in all.\n\nB. the owner":                                       "Search for it in all.|the owner",
		"Search for it.\nA. Read one.":                                                      "Search for it.|Read one.",
		"1. Search for\n   the word\n1.1 Read it":                                           "Search for the word|Read it",
		"Add at least\n2.5 mm of it.":                                                       "Add at least 2.5 mm of it.",
		"2.5 mm of it are enough.":                                                          "2.5 mm of it are enough.",
		"2. Add at least\n2.5 mm of it.":                                                    "Add at least 2.5 mm of it.",
		"1. Parts\n  A. The lead.\n  B. not more":                                           "Parts|The lead.|not more",
		"Take\n3  samples of it.":                                                           "Take 3  samples of it.",
		"3  samples are enough.":                                                            "3  samples are enough.",
		"E. coli is grown.":                                                                 "E. coli is grown.",
		"No code before\nA. Smith has agreed.":                                              "No code before A. Smith has agreed.",
		"A. Smith wrote it.":                                                                "A. Smith wrote it.",
		"It is, as he says,\n– Read it! – done.":                                            "It is, as he says, – Read it!|– done.",
		"– Read it!\n– No.":                                                                 "Read it!|No.",
	} {
		var got []string
		for _, s := range sentences(text, &measure{}) {
			got = append(got, s.text)
		}
		if got := strings.Join(got, "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestLines: a line that ends though the next word had room ends its sentence, too.
func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"read the ticket\nsearch the manual for every symptom that it names\nrun the tests":                        "1 read; 2 search_docs; 3 run; ",
		"The looking\nSearch the papers for the two terms and for their\nsynonyms, and read what is found there.":  "2 search_docs; 2 read; ",
		"Search the papers for the two\nRead what is found in them, from the first page to the last":               "1 search_docs; 2 read; ",
		"Search the papers for what they\nSummarise Proceedings, and for it also":                                  "1 search_docs; ", // room, but not for so long a word
		"Search the papers for what they call\nRead the Manual, and\nwhy it is.":                                   "1 search_docs; ", // not all lines begin anew
		"Search the papers for what they call\nRead the Manual, and why.":                                          "1 search_docs; ", // no room for "Read"
		"Search the papers for any\nRead of theirs, which is a word for a part that was sequenced, or\nfor a run.": "1 search_docs; 2 read; ",
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
