package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/bm25"
	"github.com/findspot/findspot/internal/text"
)

// A candidate is a sentence of a document, or a line of code, that may be kept.
type candidate struct {
	group, item, line int // line: of the item's text, from 0, for code
	text              string
	keys              []string // several when overlapping pieces hold the same sentence
	taken             bool
}

const (
	maxCandidates = 200_000
	maxCandidate  = 600 // runes of one; longer ones are cut at a space
)

// pick makes the extractive version of all groups within a budget of runes: first the best sentence of each group, or its
// first when none speaks of the question, then the best of all that do. They are shown in the order in which they stand.
func pick(ctx context.Context, groups []*group, question string, budget int) ([]CompactPart, error) {
	cands, parts := candidates(groups)
	ix := bm25.New()
	for i, c := range cands {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ix.Add(text.Terms(c.text))
	}
	order := make([]int, 0, len(cands))
	ranked := make([]bool, len(cands))
	for _, h := range ix.Search(text.Terms(question), 0, nil) {
		order = append(order, h.Doc)
		ranked[h.Doc] = true
	}
	hits := len(order)
	for i := range cands { // what does not speak of the question, as it stands
		if !ranked[i] {
			order = append(order, i)
		}
	}
	used := 0
	take := func(i int) {
		c := cands[i]
		if cost := utf8.RuneCountInString(c.text) + 8; !c.taken && used+cost <= budget {
			used += cost
			c.taken = true
			parts[c.group].Kept++
		}
	}
	first := make([]bool, len(groups))
	for _, i := range order {
		if !first[cands[i].group] {
			take(i)
			first[cands[i].group] = true
		}
	}
	if hits > 0 { // what does not speak of the question is no use in filling the budget
		order = order[:hits]
	}
	for _, i := range order {
		take(i)
	}
	for i, g := range groups {
		parts[i].Text = render(g, slices.DeleteFunc(slices.Clone(cands), func(c *candidate) bool { return c.group != i || !c.taken }))
	}
	return parts, nil
}

// candidates cuts the items into sentences and lines. A sentence that overlapping pieces of a document share is one, with the keys
// of all.
func candidates(groups []*group) (out []*candidate, parts []CompactPart) {
	for gi, g := range groups {
		p := CompactPart{Name: g.name, Keys: []string{}}
		same := map[string]*candidate{}
		for ii, it := range g.items {
			p.Keys = append(p.Keys, it.Key)
			add := func(line int, s string) {
				p.Sentences++
				if len(out) >= maxCandidates {
					return
				}
				id := ""
				if it.IsDocument() {
					s = oneLine(s)
					id = strings.Join(words(s), " ")
					if c := same[id]; c != nil {
						if !slices.Contains(c.keys, it.Key) {
							c.keys = append(c.keys, it.Key)
						}
						return
					}
				}
				if utf8.RuneCountInString(s) > maxCandidate {
					s = cutAtSpace(s, maxCandidate) + " ..."
				}
				if it.IsDocument() && !citable(s, it.Key) {
					return
				}
				c := &candidate{group: gi, item: ii, line: line, text: s, keys: []string{it.Key}}
				out = append(out, c)
				if it.IsDocument() {
					same[id] = c
				}
			}
			if it.IsDocument() {
				for u := range units(g.flow[ii]) {
					for v := range units(escape(oneLine(u.Text))) { // a block on one line may be several sentences
						add(0, v.Text)
					}
				}
				continue
			}
			n := 0
			for line := range strings.Lines(it.Text) {
				if strings.TrimSpace(line) != "" {
					add(n, strings.TrimRight(line, "\r\n"))
				}
				n++
			}
		}
		parts = append(parts, p)
	}
	return out, parts
}

// citable reports whether the sentence with a key behind it is read as just that.
func citable(s, key string) bool {
	got := Sentences(s + " [" + key + "]")
	return len(got) == 1 && slices.Equal(got[0].Keys, []string{key})
}

func cutAtSpace(s string, n int) string {
	s = string([]rune(s)[:n])
	if at := strings.LastIndexByte(s, ' '); at > 0 {
		s = s[:at]
	}
	return s
}

// render writes the kept sentences of a group with their keys, and kept lines of code as one block an item.
func render(g *group, kept []*candidate) string {
	var b strings.Builder
	for i := 0; i < len(kept); {
		c := kept[i]
		it := g.items[c.item]
		if it.IsDocument() {
			fmt.Fprintf(&b, "%s [%s]\n\n", c.text, strings.Join(c.keys, ", "))
			i++
			continue
		}
		var lines []string
		last := -1
		for ; i < len(kept) && kept[i].item == c.item; i++ {
			if kept[i].line != last+1 {
				lines = append(lines, "...")
			}
			last = kept[i].line
			lines = append(lines, kept[i].text)
		}
		ticks := "```"
		for strings.Contains(strings.Join(lines, "\n"), ticks) {
			ticks += "`"
		}
		fmt.Fprintf(&b, "%s\n%s\n%s\n[%s]\n\n", ticks, strings.Join(lines, "\n"), ticks, it.Key)
	}
	return strings.TrimSpace(b.String())
}

// escape keeps what a source wrote from being read as a citation or as a block of its own.
func escape(s string) string {
	s = strings.ReplaceAll(s, "[", `\[`)
	s = quoteTag.ReplaceAllString(s, `\$0`)
	if s != "" && strings.ContainsRune("#>|`~-*+", rune(s[0])) {
		s = `\` + s
	}
	return s
}
