package runner

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
)

// A value is what a step leaves behind: plain JSON for expressions, and the evidence in it.
type value struct {
	plain any
	items []evidence.Item
	text  string // a written text
	extra map[string]any
}

func none() value { return value{plain: []any{}} }

// plainItem is an item as expressions see it: its fields, those of its place beside them, and id, which is what the
// reading tools take: the entity's id, else the path, else the document's id.
func plainItem(it evidence.Item) map[string]any {
	id := it.At.Entity
	if id == "" {
		id = cmp.Or(it.At.Path, it.At.Doc)
	}
	return map[string]any{
		"key": it.Key, "kind": it.Kind, "text": it.Text, "hash": it.Hash, "tier": it.Tier, "via": it.Via, "level": it.Level,
		"score": it.Score, "note": it.Note, "id": id, "doc": it.At.Doc, "name": it.At.Name, "title": it.At.Title, "page": it.At.Page,
		"repo": it.At.Repo, "path": it.At.Path, "line": it.At.Line, "end_line": it.At.EndLine, "entity": it.At.Entity,
		"place": it.At.String(),
	}
}

func itemsValue(items []evidence.Item) value {
	list := []any{}
	for _, it := range items {
		if it.Tier != evidence.TierVerdict { // that nothing was found is no thing found
			list = append(list, plainItem(it))
		}
	}
	return value{plain: list, items: items}
}

// listFields are the fields in which tools give their lists, when a result carries no evidence.
var listFields = []string{"items", "hits", "results", "matches", "references", "callers", "locations", "entities", "symbols", "nodes", "documents"}

// resultValue is a tool's result as a step's value. Its plain form is a list where the tool found things, an empty list
// where it found none, and the data itself where it is neither.
func resultValue(res *skill.Result, data any) value {
	v := none()
	switch {
	case len(res.Items) > 0:
		v = itemsValue(res.Items)
	case data != nil:
		v.plain = dataValue(data, res.Verdict)
	case res.Verdict == "" && strings.TrimSpace(res.Text) != "":
		v.plain = []any{map[string]any{"text": res.Text}}
	}
	v.text = res.Text
	v.extra = map[string]any{"text": res.Text, "data": data, "verdict": convention.Verdict(res.Verdict)}
	return v
}

func dataValue(data any, said string) any {
	m, ok := data.(map[string]any)
	if !ok {
		if _, list := data.([]any); !list && data != nil {
			return []any{data}
		}
		return data
	}
	for _, f := range listFields {
		if l, ok := m[f].([]any); ok {
			return l
		}
		if v, there := m[f]; there && v == nil {
			return []any{}
		}
	}
	if total, ok := m["total"].(float64); ok && total == 0 || said != "" && convention.Verdict(said) != skill.VerdictFound || len(m) == 0 {
		return []any{}
	}
	return m
}

// fill evaluates the templates in arguments.
func (f *frame) fill(v any) (any, error) {
	switch v := v.(type) {
	case string:
		return f.template(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			el, err := f.fill(v[k])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k, err)
			}
			out[k] = el
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, el := range v {
			filled, err := f.fill(el)
			if err != nil {
				return nil, err
			}
			out[i] = filled
		}
		return out, nil
	}
	return v, nil
}

// itemsIn gathers the evidence of a plain value by its keys.
func itemsIn(v any, led *evidence.Ledger) (out []evidence.Item) {
	switch v := v.(type) {
	case []any:
		for _, el := range v {
			out = append(out, itemsIn(el, led)...)
		}
	case map[string]any:
		if k, ok := v["key"].(string); ok {
			if it, ok := led.Get(k); ok {
				out = append(out, it)
			}
		}
	}
	return out
}

const (
	defaultQueries = 8
	defaultKeep    = 10 // items of a search
)

func queriesValue(queries []string) value {
	list := make([]any, len(queries))
	for i, q := range queries {
		list[i] = q
	}
	return value{plain: list}
}

// held gathers what steps named by id, or by template, hold: their evidence, and their texts.
func (f *frame) held(names []string, ledger *evidence.Ledger) (items []evidence.Item, written []string, err error) {
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
		found := itemsIn(v, ledger)
		add(found)
		if len(found) == 0 {
			written = append(written, jsonvalue.Texts(v)...)
		}
	}
	return items, written, nil
}
