package docsearch

import (
	"regexp"
	"strings"
)

var (
	abstractHead = regexp.MustCompile(`(?im)^[ \t]*(?:[#*]+[ \t]*)?(?:\d+\.?[ \t]*)?(?:abstract|summary|a b s t r a c t|zusammenfassung)\b[ \t]*[*]*[.:—–-]*[ \t]*`)
	abstractEnd  = regexp.MustCompile(`(?im)^[ \t]*(?:[#*]+[ \t]*)?(?:(?:[0-9]+|I)\.?[ \t]+)?(?:introduction|keywords?|key words|index terms|categories and subject descriptors|general terms|ccs concepts|contents|table of contents|acknowledge?ments?|1[ \t]+[A-Z][a-z]+)\b`)
	mdHeading    = regexp.MustCompile(`(?m)^#{1,6}[ \t]`)
	blankLine    = regexp.MustCompile(`\n[ \t]*\n`)
)

// maxAbstract bounds an abstract in bytes: where no heading ends it, the text itself has begun.
const maxAbstract = 4000

// abstract returns the bytes of head, the beginning of a document, that are its abstract: what follows the heading
// "Abstract" up to the next heading, else the first paragraph of prose.
func abstract(head string) (start, end int) {
	if m := abstractHead.FindStringIndex(head); m != nil {
		rest := head[m[1]:]
		skip := len(rest) - len(strings.TrimLeft(rest, " \t\n"))
		rest = rest[skip:]
		end := len(rest)
		for _, re := range []*regexp.Regexp{abstractEnd, mdHeading} {
			if e := re.FindStringIndex(rest); e != nil && e[0] > 0 {
				end = min(end, e[0])
			}
		}
		if end > maxAbstract {
			end = paragraphEnd(rest, maxAbstract)
		}
		if end = len(strings.TrimRight(rest[:end], " \t\n\f")); end >= 40 {
			return m[1] + skip, m[1] + skip + end
		}
	}
	return firstParagraph(head)
}

// firstParagraph returns the first paragraph of at least 20 words, or else the longest there is.
func firstParagraph(head string) (start, end int) {
	best, at := 0, 0
	for at < len(head) {
		stop, next := len(head), len(head)
		if m := blankLine.FindStringIndex(head[at:]); m != nil {
			stop, next = at+m[0], at+m[1]
		}
		body := strings.TrimSpace(head[at:stop])
		if n := len(strings.Fields(body)); n > best && !strings.HasPrefix(body, "#") {
			start = at + strings.Index(head[at:stop], body)
			end, best = start+len(body), n
			if n >= 20 {
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
