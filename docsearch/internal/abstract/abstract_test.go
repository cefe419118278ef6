package abstract

import "testing"

func TestFindAbstract(t *testing.T) {
	const body = "We show that the moon is not made of cheese, and how to measure it."
	for _, tt := range []struct{ name, head, want string }{
		{"a line of its own", "A Title\nAbstract\n" + body + "\n1 Introduction\nMore.", body},
		{"run in with a dash", "A Title\nAbstract—" + body + "\nIndex Terms—moon, cheese\n", body},
		{"run in with a point", "ABSTRACT. " + body + "\nKeywords: moon\n", body},
		{"run in without a mark", "Abstract " + body + "\n1. MOTIVATION\nMore.", body},
		{"Markdown", "# T\n\n## Abstract\n\n" + body + "\n\n## Next\n", body},
		{"a word at the beginning of a line", "abstract data types are the subject of this text, which goes on and on.", ""},
		{"a table of contents", "Abstract .................... 3\n1 Introduction ............ 4\n2 Method ............. 5\n", ""},
		{"a change list", "Summary of changes in this version of the document, which are many.", ""},
		{"none", "Only text.", ""},
	} {
		start, end := Find(tt.head)
		if got := tt.head[start:end]; got != tt.want {
			t.Errorf("%s: FindAbstract(%q) = %q, want %q", tt.name, tt.head, got, tt.want)
		}
	}
}
