package expression

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/phrase"
)

// functions are ours besides those of the language, by name.
var functions = map[string]func(args ...any) (any, error){
	"docs":        func(a ...any) (any, error) { return distinctDocs(a), nil },
	"identifiers": func(a ...any) (any, error) { return identifiersIn(a), nil },
	"keys_of":     func(a ...any) (any, error) { return keysIn(a), nil },
	"missing":     func(a ...any) (any, error) { return missingIn(a) },
}

// identifier finds what looks like a field, type or function name: inner capitals, digits, hyphens or underscores.
var identifier = lazyregexp.New(`[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*`)

func identifiersIn(args []any) []any {
	seen := map[string]bool{}
	out := []any{}
	for _, a := range args {
		s, _ := a.(string)
		for _, m := range identifier.FindAllString(s, 200) {
			inner := strings.ContainsAny(m, "_0123456789") || strings.IndexFunc(m[1:], isUpper) >= 0 && m != strings.ToUpper(m)
			if inner && !seen[m] {
				seen[m] = true
				out = append(out, m)
			}
		}
	}
	return out
}

func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }

// distinctDocs counts the documents of items.
func distinctDocs(args []any) int {
	seen := map[string]bool{}
	for _, a := range args {
		list, _ := a.([]any)
		for _, el := range list {
			if m, ok := el.(map[string]any); ok {
				if d, _ := m["doc"].(string); d != "" {
					seen[d] = true
				}
			}
		}
	}
	return len(seen)
}

func keysIn(args []any) []any {
	out := []any{}
	for _, a := range args {
		list, _ := a.([]any)
		for _, el := range list {
			if m, ok := el.(map[string]any); ok {
				if k, _ := m["key"].(string); k != "" {
					out = append(out, k)
				}
			}
		}
	}
	return out
}

// missingIn is the function missing(value, names): the names that occur in no text of the value, as whole words, whatever
// their case.
func missingIn(args []any) ([]any, error) {
	if len(args) != 2 {
		return nil, errors.New("missing takes a value and a list of names")
	}
	var b strings.Builder
	if !gatherTexts(args[0], &b, 0) {
		return nil, fmt.Errorf("missing: over %d bytes, or nested too deeply", maxExprString)
	}
	in := b.String()
	out := []any{}
	list, ok := args[1].([]any)
	if !ok {
		list = []any{args[1]}
	}
	for _, el := range list {
		name, ok := el.(string)
		if !ok {
			return nil, errors.New("missing: a name is no text")
		}
		if words := strings.Join(phrase.Words(name), " "); words == "" || !strings.Contains(in, " "+words+" ") {
			out = append(out, name)
		}
	}
	return out, nil
}

// gatherTexts joins the words of the texts in a plain value, with spaces around each and a bar between texts; false: there
// are too many.
func gatherTexts(v any, b *strings.Builder, depth int) bool {
	if depth > jsonvalue.MaxDepth || b.Len() > maxExprString {
		return false
	}
	switch v := v.(type) {
	case string:
		b.WriteString(" " + strings.Join(phrase.Words(v), " ") + " |")
	case []any:
		for _, el := range v {
			if !gatherTexts(el, b, depth+1) {
				return false
			}
		}
	case map[string]any:
		for _, el := range v { // the order of texts does not matter to words
			if !gatherTexts(el, b, depth+1) {
				return false
			}
		}
	}
	return true
}

// FunctionNames are the names of the functions that the language does not have itself, sorted.
func FunctionNames() []string { return slices.Sorted(maps.Keys(functions)) }
