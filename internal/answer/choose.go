package answer

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/skill/evidence"
)

// enough is how many passages of better tiers make those of the tier "any" mere noise.
const enough = 4

// candidates are what the rooms have for a question, in their own order.
type candidates struct {
	query    string          // what documents were searched for
	phrase   []docsearch.Hit // of its longest phrase that some document holds
	hits     []docsearch.Hit // of all of it
	entities []evidence.Item // may hold one several times
}

// choose chooses among the candidates: passages document by document, then figures and tables, then entities.
func choose(c candidates, o Options) []evidence.Item {
	for i := range c.phrase {
		leaveRoom(&c.phrase[i], c.query, o.Passages)
	}
	hits := slices.Concat(c.phrase, c.hits)
	out := chooseDocuments(hits, o)
	seen := map[string]bool{}
	for _, it := range c.entities {
		if id := it.At.Entity; len(seen) < o.Entities && !seen[id] {
			seen[id] = true
			out = append(out, it)
		}
	}
	return out
}

func chooseDocuments(hits []docsearch.Hit, o Options) []evidence.Item {
	var out []evidence.Item
	count, good := map[string]int{}, 0
	passages := map[string][][2]int{}
	for _, h := range hits {
		if len(count) >= o.Documents && count[h.Doc] == 0 {
			continue
		}
		for _, p := range h.Passages {
			overlap := slices.ContainsFunc(passages[h.Doc], func(s [2]int) bool { return p.LineStart <= s[1] && s[0] <= p.LineEnd })
			if count[h.Doc] >= o.Passages || overlap || good >= enough && p.Tier == docsearch.TierAny {
				continue
			}
			if p.Tier != docsearch.TierAny {
				good++
			}
			count[h.Doc]++
			passages[h.Doc] = append(passages[h.Doc], [2]int{p.LineStart, p.LineEnd})
			out = append(out, items.Passage(h, p))
		}
	}
	for _, h := range hits {
		for _, f := range h.Figures {
			out = append(out, items.Figure(h, f))
		}
		for _, t := range h.Tables {
			out = append(out, items.Table(h, t))
		}
	}
	return out
}

// leaveRoom gives up one passage of a phrase when none of them has all words of the query: a phrase that is common in a
// document must not hide where the rest of the question is answered.
func leaveRoom(h *docsearch.Hit, query string, most int) {
	n := len(h.Passages)
	if n < 2 || n < most {
		return
	}
	for _, p := range h.Passages {
		terms := text.Terms(p.Snippet)
		if !slices.ContainsFunc(text.Terms(strings.Join(intent.ContentWords(query), " ")), func(t string) bool { return !slices.Contains(terms, t) }) {
			return
		}
	}
	h.Passages = h.Passages[:n-1]
}
