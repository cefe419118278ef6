package clause

import "strings"

// heads are headings that need no number to be one.
var heads = map[string]bool{
	"abstract": true, "summary": true, "introduction": true, "references": true, "bibliography": true, "acknowledgements": true,
	"acknowledgments": true, "acknowledgement": true, "acknowledgment": true, "conclusion": true, "conclusions": true, "appendix": true, "appendices": true,
	"contents": true, "table of contents": true, "foreword": true, "preface": true, "related work": true, "discussion": true, "results": true,
	"scope": true, "history": true, "index": true, "glossary": true, "zusammenfassung": true, "einleitung": true, "literatur": true,
	"literaturverzeichnis": true, "inhaltsverzeichnis": true, "résumé": true, "list of figures": true, "list of tables": true,
}

// Known reports whether a title without its number is one that documents of all kinds have, such as "References".
func Known(title string) bool {
	title = strings.TrimRight(strings.TrimSpace(title), ".:")
	var lower [longestHead]byte
	for i := range len(title) {
		c := title[i]
		switch {
		case c >= 0x80:
			return heads[strings.ToLower(title)] // a letter may be shorter in lower case
		case i >= len(lower):
			continue
		case c >= 'A' && c <= 'Z':
			c |= 0x20
		}
		lower[i] = c
	}
	return len(title) <= len(lower) && heads[string(lower[:len(title)])]
}

// longestHead is no less than the length of any of heads.
const longestHead = 24
