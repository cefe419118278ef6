package evidence_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"unicode"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill/evidence"
)

// pageSource gives texts by document name and page.
type pageSource map[evidence.Place]string

func (s pageSource) Text(_ context.Context, at evidence.Place) (string, error) {
	t, ok := s[at]
	if !ok {
		return "", errs.NotFound
	}
	return t, nil
}

// An attack makes a false quote of a true one; "" when the sentence offers nothing to it. Kinds whose letters and digits are the page's own
// (spaced) say so, since then only the exact words tell.
type attack struct {
	name   string
	spaced bool
	make   func(r *rand.Rand, q string, other string) string
}

// change replaces one of the matches of a pattern, chosen by r.
func change(r *rand.Rand, q, pattern string, by func(m string) string) string {
	all := regexp.MustCompile(pattern).FindAllStringSubmatchIndex(q, -1)
	if len(all) == 0 {
		return ""
	}
	m := all[r.IntN(len(all))]
	from, to := m[0], m[1]
	if len(m) > 2 && m[2] >= 0 {
		from, to = m[2], m[3]
	}
	return q[:from] + by(q[from:to]) + q[to:]
}

func swapped(table string) func(string) string {
	return func(m string) string {
		for pair := range strings.FieldsSeq(table) {
			if a, b, _ := strings.Cut(pair, "/"); a == m {
				return b
			}
		}
		return m
	}
}

const long = `(?:^|\s)([a-z]{6,})(?:\s|$)` // a plain word within a line

func attacks() []attack {
	word := func(q string, at int) []string { return strings.Fields(q) }
	return []attack{
		{"changed digit", false, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `\d`, func(m string) string { return string('0' + (m[0]-'0'+byte(1+r.IntN(9)))%10) })
		}},
		{"changed unit", false, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `\d\s?(dB|dBm|kHz|MHz|GHz|Hz|ms|s|km|m|cm|bits?|bytes?|%|MB|GB|°)(?:\W|$)`, swapped("dB/dBm dBm/dB kHz/MHz MHz/kHz GHz/MHz Hz/kHz ms/s s/ms km/m m/km cm/mm bits/bytes bit/byte bytes/bits byte/bit %/‰ MB/GB GB/MB °/%"))
		}},
		{"dropped negation", false, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `\s(?:not|no|never|without)\b`, func(string) string { return "" })
		}},
		{"added negation", false, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `\b(?:is|are|can|may|shall|was|were|has|have|should|will)\b`, func(m string) string { return m + " not" })
		}},
		{"made-up tail", false, func(r *rand.Rand, q, _ string) string {
			return strings.TrimRight(q, ". ") + []string{" in all cases.", " by 3 dB", ", which is proven", " always"}[r.IntN(4)]
		}},
		{"made-up head", false, func(r *rand.Rand, q, _ string) string {
			return []string{"It is proven that ", "Never ", "Only the ", "No "}[r.IntN(4)] + q
		}},
		{"swapped words", false, func(r *rand.Rand, q, _ string) string {
			ws := word(q, 0)
			for range 20 {
				if i := r.IntN(len(ws) - 1); ws[i] != ws[i+1] {
					ws[i], ws[i+1] = ws[i+1], ws[i]
					return strings.Join(ws, " ")
				}
			}
			return ""
		}},
		{"swapped numbers", false, func(r *rand.Rand, q, _ string) string {
			ns := regexp.MustCompile(`\b\d+\b`).FindAllStringIndex(q, -1)
			if len(ns) < 2 {
				return ""
			}
			a, b := ns[0], ns[len(ns)-1]
			return q[:a[0]] + q[b[0]:b[1]] + q[a[1]:b[0]] + q[a[0]:a[1]] + q[b[1]:]
		}},
		{"spliced", false, func(r *rand.Rand, q, other string) string {
			a, b := word(q, 0), word(other, 0)
			return strings.Join(append(a[:len(a)/2:len(a)/2], b[len(b)/2:]...), " ")
		}},
		{"words left out", false, func(r *rand.Rand, q, _ string) string {
			ws := word(q, 0)
			i := 1 + r.IntN(len(ws)-3)
			return strings.Join(append(ws[:i:i], ws[i+1:]...), " ")
		}},
		{"words left out with an ellipsis", false, func(r *rand.Rand, q, _ string) string {
			ws := word(q, 0)
			i := 1 + r.IntN(len(ws)-3)
			return strings.Join(ws[:i], " ") + []string{" ... ", " … ", " [...] "}[r.IntN(3)] + strings.Join(ws[i+1:], " ")
		}},
		{"changed case", true, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `\b[A-Z][A-Za-z]+\b`, func(m string) string {
				if up := strings.ToUpper(m); up != m {
					return up
				}
				return strings.ToLower(m)
			})
		}},
		{"changed sign", true, func(r *rand.Rand, q, _ string) string {
			if s := change(r, q, `(?:^|[\s(=])([-−–]\s?)\d`, func(string) string { return "" }); s != "" {
				return s
			}
			return change(r, q, `(?:^|\s)(\d+)`, func(m string) string { return "-" + m })
		}},
		{"changed power", true, func(r *rand.Rand, q, _ string) string {
			if s := change(r, q, `[²³¹⁻⁰-⁹]`, func(string) string { return "" }); s != "" {
				return s
			}
			return change(r, q, `\b\d*([0-9])\b`, func(m string) string { return string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[m[0]-'0']) })
		}},
		{"look-alike letters", false, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `[aceopxyHKMOPTAB]`, swapped("a/а c/с e/е o/о p/р x/х y/у H/Н K/К M/М O/О P/Р T/Т A/А B/В"))
		}},
		{"invisible characters", true, func(r *rand.Rand, q, _ string) string {
			hidden := []string{"\u200b", "\u200d", "\u2060", "\ufeff", "\u202e", "\u2063", "\x00", "\ufe0f"}[r.IntN(8)]
			return change(r, q, long, func(m string) string { return m[:3] + hidden + m[3:] })
		}},
		{"truncated word", true, func(r *rand.Rand, q, _ string) string {
			if r.IntN(2) == 0 {
				if regexp.MustCompile(`^[A-Za-z]{2}`).MatchString(q) {
					return q[1:]
				}
				return ""
			}
			q = strings.TrimRight(q, ".,:;?!)")
			if q == "" || !unicode.IsLetter(rune(q[len(q)-1])) || len(q) < 2 || !unicode.IsLetter(rune(q[len(q)-2])) {
				return ""
			}
			return q[:len(q)-1]
		}},
		{"truncated number", true, func(r *rand.Rand, q, _ string) string {
			ms := regexp.MustCompile(`\d+([.,]\d+)+|\d{2,}`).FindAllStringIndex(q, -1)
			if len(ms) == 0 {
				return ""
			}
			m := ms[r.IntN(len(ms))]
			if cut := m[0] + 1 + r.IntN(m[1]-m[0]-1); r.IntN(2) == 0 {
				return q[:cut]
			} else {
				return q[cut:]
			}
		}},
		{"changed comparison", true, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `≤|≥|<|>|=|±|\bless\b|\bmore\b|\bat least\b|\bat most\b|\bmaximum\b|\bminimum\b|\bhigher\b|\blower\b`, func(m string) string {
				for _, p := range [][2]string{{"≤", "<"}, {"≥", ">"}, {"<", "≤"}, {">", "≥"}, {"=", "≠"}, {"±", "+"}, {"less", "more"}, {"more", "less"}, {"at least", "at most"},
					{"at most", "at least"}, {"maximum", "minimum"}, {"minimum", "maximum"}, {"higher", "lower"}, {"lower", "higher"}} {
					if p[0] == m {
						return p[1]
					}
				}
				return m
			})
		}},
		{"plural and tense", false, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `\b(?:is|are|was|were|has|have|signals?|values?|results?|systems?|shall|may|must|used|uses)\b`,
				swapped("is/was are/were was/is were/are has/had have/had signal/signals signals/signal value/values values/value result/results results/result system/systems systems/system shall/may may/shall must/may used/uses uses/used"))
		}},
		{"hyphen put in", true, func(r *rand.Rand, q, _ string) string {
			return change(r, q, long, func(m string) string { return m[:3] + "-" + m[3:] })
		}},
		{"hyphen taken out", true, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `[A-Za-z0-9](-)[A-Za-z0-9]`, func(string) string { return "" })
		}},
		{"hyphen to space", true, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `[A-Za-z0-9](-)[A-Za-z0-9]`, func(string) string { return " " })
		}},
		{"space to hyphen", true, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `[a-z0-9]( )[a-z0-9]`, func(string) string { return "-" })
		}},
		{"words joined", true, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `[a-z0-9]( )[a-z0-9]`, func(string) string { return "" })
		}},
		{"word split", true, func(r *rand.Rand, q, _ string) string {
			return change(r, q, long, func(m string) string { return m[:3] + " " + m[3:] })
		}},
		{"word doubled", false, func(r *rand.Rand, q, _ string) string {
			return change(r, q, long, func(m string) string { return m + " " + m })
		}},
		{"quotation marks", true, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `["“”'’]`, swapped("\"/“ “/\" ”/\" '/’ ’/'"))
		}},
		{"dashes", true, func(r *rand.Rand, q, _ string) string {
			return change(r, q, `[–—−-]`, swapped("–/- —/- −/- -/–"))
		}},
		{"other place", false, func(r *rand.Rand, _, other string) string { return other }},
	}
}

// squeeze leaves what no typesetter changes: an oracle apart from the matcher.
func squeeze(s string) string {
	for _, p := range [][2]string{{"\ufb00", "ff"}, {"\ufb01", "fi"}, {"\ufb02", "fl"}, {"\ufb03", "ffi"}, {"\ufb04", "ffl"}} {
		s = strings.ReplaceAll(s, p[0], p[1])
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' || r == '\u2010' || r == '\u2011' || r == '\u00ad' {
			return -1
		}
		return r
	}, s)
}

// noises are what a typesetter or a reader of PDFs does to a true quote.
func noises() []struct {
	name string
	make func(r *rand.Rand, q string) string
} {
	atBreak := regexp.MustCompile(`(\pL)[-\x{2010}]\s*\n\s*(\pL)`)
	return []struct {
		name string
		make func(r *rand.Rand, q string) string
	}{
		{"as it stands", func(_ *rand.Rand, q string) string { return q }},
		{"lines joined", func(_ *rand.Rand, q string) string { return strings.Join(strings.Fields(q), " ") }},
		{"hyphens at line ends gone", func(_ *rand.Rand, q string) string {
			return strings.Join(strings.Fields(atBreak.ReplaceAllString(q, "$1$2")), " ")
		}},
		{"hyphens at line ends kept", func(_ *rand.Rand, q string) string {
			return strings.Join(strings.Fields(atBreak.ReplaceAllString(q, "$1-$2")), " ")
		}},
		{"ligatures", func(_ *rand.Rand, q string) string {
			return strings.NewReplacer("ffi", "\ufb03", "ffl", "\ufb04", "ff", "\ufb00", "fi", "\ufb01", "fl", "\ufb02").Replace(q)
		}},
		{"wide and fixed spaces", func(r *rand.Rand, q string) string {
			return regexp.MustCompile(`\s+`).ReplaceAllStringFunc(q, func(m string) string {
				if strings.Contains(m, "\n") {
					return m
				}
				return []string{" ", "  ", "\u00a0", "\t", "\u2009", "\u202f", "\u3000"}[r.IntN(7)]
			})
		}},
		{"other hyphens", func(r *rand.Rand, q string) string {
			return strings.Map(func(c rune) rune {
				if c == '-' {
					return []rune{'\u2010', '\u2011', '-'}[r.IntN(3)]
				}
				return c
			}, q)
		}},
		{"broken elsewhere", func(r *rand.Rand, q string) string {
			ws := strings.Fields(atBreak.ReplaceAllString(q, "$1$2"))
			for i, w := range ws {
				if plain := regexp.MustCompile(`^[a-z]{6,}$`).MatchString(w); plain && r.IntN(4) == 0 {
					ws[i] = w[:3] + "-\n" + w[3:]
				} else if r.IntN(5) == 0 {
					ws[i] = w + "\n"
				}
			}
			return strings.Join(ws, " ")
		}},
		{"soft hyphens", func(r *rand.Rand, q string) string {
			return regexp.MustCompile(`\b[a-z]{6,}\b`).ReplaceAllStringFunc(q, func(m string) string {
				if r.IntN(4) == 0 {
					return m[:3] + "\u00ad" + m[3:]
				}
				return m
			})
		}},
	}
}

// report counts what was accepted, by name.
type report struct {
	names    []string
	of, good map[string]int
	odd      []string // the first that went wrong
}

func (p *report) add(name string, good bool, odd string) {
	if p.of == nil {
		p.of, p.good = map[string]int{}, map[string]int{}
	}
	if p.of[name]++; p.of[name] == 1 {
		p.names = append(p.names, name)
	}
	if good {
		p.good[name]++
	} else if len(p.odd) < 40 {
		p.odd = append(p.odd, name+": "+odd)
	}
}

func (p *report) total() (good, of int) {
	for _, n := range p.names {
		good, of = good+p.good[n], of+p.of[n]
	}
	return good, of
}

func (p *report) String() string {
	var b strings.Builder
	for _, n := range p.names {
		fmt.Fprintf(&b, "%-34s %6d of %6d\n", n, p.good[n], p.of[n])
	}
	good, of := p.total()
	fmt.Fprintf(&b, "%-34s %6d of %6d\n", "all", good, of)
	return b.String()
}
