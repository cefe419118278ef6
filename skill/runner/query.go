package runner

import (
	"strings"

	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
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
				written = append(written, jsonvalue.Render(m))
			} else if len(v.items) == 0 {
				written = append(written, jsonvalue.Texts(v.plain)...)
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
			written = append(written, jsonvalue.Texts(v)...)
		}
	}
	return items, written, nil
}
