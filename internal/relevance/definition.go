package relevance

import "strings"

// definitions finds where a text defines what a question asks for: "An X is", "X: ...", "called X".
func (q *Question) definitions(s string, sc *scan) {
	hs := sc.hits
	for i := 0; i < len(hs); {
		if q.subject&(1<<hs[i].term) == 0 {
			i++
			continue
		}
		m := Mask(1) << hs[i].term
		j := i + 1
		for j < len(hs) && hs[j].pos-hs[j-1].pos <= 2 && q.subject&^m&(1<<hs[j].term) != 0 {
			m |= 1 << hs[j].term
			j++
		}
		if v := defines(s, hs[i].start, hs[j-1].end); v > 0 {
			sc.cues = append(sc.cues, cue{pos: hs[i].pos, start: hs[i].start, weight: v * q.sum(m) / q.sum(q.subject), whole: true})
		}
		i = j
	}
}

var (
	defining = set("is are was were means mean denotes denote refers refer describes describe represents represent specifies specify occurs occur consists consist defines define indicates stands")
	naming   = set("called termed named as call say defines define i.e")
	article  = set("a an the")
)

// markup is what may stand between a term and the words beside it.
const markup = "*_`\"'“”‘’([ \t"

// defines says how much what stands before and behind a term at s[start:end] makes it a definition, from 0 to 1.
func defines(s string, start, end int) float64 {
	before := strings.TrimRight(s[max(0, start-60):start], markup)
	if rest, word := cutLast(before); article[strings.ToLower(word)] {
		before = strings.TrimRight(rest, markup)
	}
	after := strings.TrimLeft(s[end:min(len(s), end+120)], "*_`\"'”’)]s") // with the s of a plural
	if a := strings.TrimLeft(after, " "); strings.HasPrefix(a, "(") {     // "(type, OPTIONAL)", "(abbreviation)"
		if i := strings.IndexByte(a, ')'); i > 0 {
			after = strings.TrimLeft(a[i+1:], "*_`")
		}
	}
	words := strings.Fields(after)
	if beginsSentence(before) {
		a := strings.TrimLeft(after, " ")
		for _, mark := range []string{":", "- ", "– ", "— "} {
			if strings.HasPrefix(a, mark) {
				return 1
			}
		}
		for _, w := range words[:min(len(words), 2)] {
			if defining[w] {
				return 1
			}
		}
	}
	if _, word := cutLast(before); naming[strings.ToLower(strings.Trim(word, ",.("))] {
		return 1
	}
	if len(words) > 0 && defining[words[0]] {
		return .7
	}
	return 0
}

// cutLast cuts the last word off a text.
func cutLast(s string) (rest, word string) {
	i := strings.LastIndexAny(s, " \t\n") + 1
	return s[:i], s[i:]
}

// beginsSentence reports whether a sentence, a line or an item of a list begins behind a text.
func beginsSentence(before string) bool {
	if before == "" {
		return true
	}
	for _, end := range []string{".", ":", ";", "!", "?", "\n", "•", "-", "–", "+"} {
		if strings.HasSuffix(before, end) {
			return true
		}
	}
	return false
}
