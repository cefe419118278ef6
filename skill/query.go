package skill

import (
	"strings"

	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/skill/evidence"
)

const (
	defaultQueries = 8
)

func queriesValue(queries []string) value {
	list := make([]any, len(queries))
	for i, q := range queries {
		list[i] = q
	}
	return value{plain: list}
}

// singleWords are the words of a task that were not searched yet.
func (f *frame) singleWords(task string) (queries []string) {
	for _, t := range text.Tokens(task) {
		if !t.Stop && !openers[t.Word] && !f.asked[t.Word] {
			queries = append(queries, t.Word)
		}
	}
	if len(queries) == 0 && strings.TrimSpace(task) != "" {
		queries = []string{task}
	}
	return queries
}

// from gathers what steps named by id, or by template, hold: their evidence, and their texts.
func (run *Run) from(f *frame, names []string) (items []evidence.Item, written []string, err error) {
	have := map[string]bool{}
	add := func(list []evidence.Item) {
		for _, it := range list {
			if !have[it.Key] {
				have[it.Key] = true
				items = append(items, it)
			}
		}
	}
	for _, n := range names {
		if v, ok := f.vars[n]; ok {
			add(v.items)
			if m, isMap := v.plain.(map[string]any); isMap && len(v.items) == 0 || isMap && v.text != "" {
				written = append(written, render(m))
			} else if len(v.items) == 0 {
				written = append(written, texts(v.plain)...)
			}
			continue
		}
		if !strings.Contains(n, "${") {
			continue // skipped: it holds nothing
		}
		v, err := f.template(n)
		if err != nil {
			return nil, nil, err
		}
		found := itemsIn(v, run.ledger)
		add(found)
		if len(found) == 0 {
			written = append(written, texts(v)...)
		}
	}
	return items, written, nil
}
