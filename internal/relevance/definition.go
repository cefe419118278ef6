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
	naming   = set("called termed named as call say define defines i.e")
)

// defines says how much what stands before and behind a term at s[start:end] makes it a definition, from 0 to 1.
func defines(s string, start, end int) float64 {
	const markup = "*_`\"'“”‘’([ \t"
	before := strings.TrimRight(s[max(0, start-60):start], markup)
	for _, a := range []string{" a", " an", " the", "\na", "\nan", "\nthe"} {
		if strings.HasSuffix(strings.ToLower("\n"+before), a) {
			before = strings.TrimRight(before[:max(0, len(before)+1-len(a))], markup)
			break
		}
	}
	begins := before == "" || strings.ContainsRune(".:;!?\n•-–+", rune(before[len(before)-1])) || strings.HasSuffix(before, "•") || strings.HasSuffix(before, "–")
	after := strings.TrimLeft(s[end:min(len(s), end+120)], "*_`\"'”’)]s")
	if strings.HasPrefix(strings.TrimLeft(after, " "), "(") { // "(type, OPTIONAL)", "(abbreviation)"
		if i := strings.IndexByte(after, ')'); i > 0 {
			after = strings.TrimLeft(after[i+1:], "*_`")
		}
	}
	words := strings.Fields(after)
	if begins {
		switch a := strings.TrimLeft(after, " "); {
		case strings.HasPrefix(a, ":") || strings.HasPrefix(a, "- ") || strings.HasPrefix(a, "– ") || strings.HasPrefix(a, "— "):
			return 1
		}
		for _, w := range words[:min(len(words), 2)] {
			if defining[w] {
				return 1
			}
		}
	}
	if f := strings.Fields(before); len(f) > 0 && naming[strings.ToLower(strings.Trim(f[len(f)-1], ",.("))] {
		return 1
	}
	if len(words) > 0 && defining[words[0]] {
		return .7
	}
	return 0
}
