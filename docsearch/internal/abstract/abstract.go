package abstract

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

var (
	// A heading begins with a capital and ends its line, or runs into the text after a mark or before a capital: "abstract
	// data types" and "Summary of changes" are none.
	abstractHead = lazyregexp.New(`(?m)^[ \t]*(?:[#*]+[ \t]*)?(?:\d+\.?[ \t]*)?(?:Abstract|ABSTRACT|Summary|SUMMARY|A B S T R A C T|Zusammenfassung|ZUSAMMENFASSUNG|Kurzfassung|Résumé|RÉSUMÉ|Resumen|Sommario)[*]*(?:[ \t]*$\s*|[ \t]*[.:—–-]+[ \t]*\s|[ \t]*[.:—–-]+|[ \t]+(?:[A-Z“"]))`)
	abstractEnd  = lazyregexp.New(`(?im)^[ \t]*(?:[#*]+[ \t]*)?(?:(?:[0-9]+|I)\.?[ \t]+)?(?:introduction|einleitung|keywords?|key words|key phrases|index terms|categories and subject descriptors|general terms|ccs concepts|contents|table of contents|inhaltsverzeichnis|acknowledge?ments?|permission to make|mathematics subject|jel classification|pacs)\b|^[ \t]*(?:1|I)\.?[ \t]+[A-Z][A-Za-z]+`)
	mdHeading    = lazyregexp.New(`(?m)^#{1,6}[ \t]`)
	dotLeader    = lazyregexp.New(`^[ .]{4,}[ \t]*[0-9ivx]+|\.{5,}|( \.){4,}`)
	lastNumber   = lazyregexp.New(`\n[ \t]*[0-9ivx]{1,5}[ \t\n\f]*$`)
	blankLine    = lazyregexp.New(`\n[ \t]*\n`)
)

// abstractWords are those of abstractHead.
var abstractWords = []string{
	"Abstract", "ABSTRACT", "Summary", "SUMMARY", "A B S T R A C T", "Zusammenfassung", "ZUSAMMENFASSUNG", "Kurzfassung", "Résumé",
	"RÉSUMÉ", "Resumen", "Sommario",
}

// maxAbstract bounds an abstract in bytes: where no heading ends it, the text itself has begun.
const maxAbstract = 4000

// FindOrFirst returns the bytes of head, the beginning of a document, that are its abstract: what [Find] finds, else the first
// paragraph of prose.
func FindOrFirst(head string) (start, end int) {
	if start, end = Find(head); start < end {
		return start, end
	}
	return firstParagraph(head)
}

// Find returns the bytes [start, end) of the abstract in head, the text of a document's first pages: what follows the heading "Abstract"
// (or Summary, Zusammenfassung, Résumé) up to the next heading, 4000 bytes at most. Both are 0 when there is no such heading.
func Find(head string) (start, end int) {
	// Looking for the words first saves most documents the expression.
	if !slices.ContainsFunc(abstractWords, func(w string) bool { return strings.Contains(head, w) }) {
		return 0, 0
	}
	for _, m := range abstractHead.FindAllStringIndex(head, 8) {
		if c := head[m[1]-1]; c >= 'A' && c <= 'Z' && head[m[1]-2] == ' ' || c == '"' {
			m[1]-- // the text itself begins there
		}
		rest := head[m[1]:]
		skip := len(rest) - len(strings.TrimLeft(rest, " \t\n"))
		rest = rest[skip:]
		end := len(rest)
		for _, re := range []*lazyregexp.Regexp{abstractEnd, mdHeading} {
			if e := re.FindStringIndex(rest); e != nil && e[0] > 0 {
				end = min(end, e[0])
			}
		}
		if end > maxAbstract {
			end = paragraphEnd(rest, maxAbstract)
		}
		if m := lastNumber.FindStringIndex(rest[:end]); m != nil {
			end = m[0] // the number of the page
		}
		// A line of a table of contents, or a title that begins so, has no text after it.
		if end = len(strings.TrimRight(rest[:end], " \t\n\f")); end >= 40 && !dotLeader.MatchString(rest[:min(end, 80)]) {
			return m[1] + skip, m[1] + skip + end
		}
	}
	return 0, 0
}

// firstParagraph returns the first paragraph of at least 20 words, or else the longest there is.
func firstParagraph(head string) (start, end int) {
	const enough = 20 // words
	best, at := 0, 0
	for at < len(head) {
		stop, next := len(head), len(head)
		if m := blankLine.FindStringIndex(head[at:]); m != nil {
			stop, next = at+m[0], at+m[1]
		}
		body := strings.TrimSpace(head[at:stop])
		n := 0
		for range strings.FieldsSeq(body) {
			n++
			if n == enough {
				break
			}
		}
		if n > best && !strings.HasPrefix(body, "#") {
			start = at + strings.Index(head[at:stop], body)
			end, best = start+len(body), n
			if n == enough {
				break
			}
		}
		at = next
	}
	if end-start > maxAbstract {
		end = start + paragraphEnd(head[start:end], maxAbstract)
	}
	return start, end
}

// paragraphEnd returns the last end of a paragraph, sentence or word of s before n.
func paragraphEnd(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for _, sep := range []string{"\n\n", ".\n", ". ", " "} {
		if i := strings.LastIndex(s[:n], sep); i > n/4 {
			return i + len(strings.TrimRight(sep, " \n"))
		}
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return n
}
