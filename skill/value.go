package skill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/evidence"
)

// A value is what a step leaves behind: plain JSON for expressions, and the evidence in it.
type value struct {
	plain any
	items []evidence.Item
	text  string // a written text
	extra map[string]any
}

func none() value { return value{plain: []any{}} }

// toPlain brings any value with JSON tags into maps, lists, texts, numbers and booleans. A value that is so already is
// itself, not a copy.
func toPlain(v any) (any, error) {
	if isPlain(v, plainDepth) {
		return v, nil
	}
	return jsonPlain(v)
}

// jsonPlain is toPlain with a copy, in which every number is a float64.
func jsonPlain(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	var out any
	if err := dec.Decode(&out); err != nil {
		return nil, err
	}
	return out, nil
}

// plainItem is an item as expressions see it: its fields, those of its place beside them, and id, which is what the
// reading tools take: the entity's id, else the path, else the document's id.
func plainItem(it evidence.Item) map[string]any {
	id := it.At.Entity
	if id == "" {
		id = cmpOr(it.At.Path, it.At.Doc)
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
func resultValue(res *Result, data any) value {
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
	v.extra = map[string]any{"text": res.Text, "data": data, "verdict": verdict(res.Verdict)}
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
	if total, ok := m["total"].(float64); ok && total == 0 || said != "" && verdict(said) != VerdictFound || len(m) == 0 {
		return []any{}
	}
	return m
}

// render is a value as text, for an argument that has text around it or for a reader.
func render(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		out := make([]string, len(v))
		for i, el := range v {
			out[i] = render(el)
		}
		return strings.Join(out, "\n")
	case map[string]any:
		if s, ok := v["text"].(string); ok {
			return s
		}
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
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

// texts flattens a plain value into texts.
func texts(v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		var out []string
		for _, el := range v {
			out = append(out, texts(el)...)
		}
		return out
	}
	if s := strings.TrimSpace(render(v)); s != "" {
		return []string{s}
	}
	return nil
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
