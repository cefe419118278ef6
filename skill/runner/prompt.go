package runner

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
)

// own reports whether an expression gives nothing but what the user gave, or what is no text: then a prompt may hold its value as it is.
func (f *frame) own(src string) bool {
	if len(f.shown) > 0 { // which inputs an expression makes its value of cannot be told
		name, ok := strings.CutPrefix(src, "inputs.")
		_, declared := f.inputs[name]
		return ok && declared && f.shown[name] == ""
	}
	e, err := expression.Compile(src)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(e.Names, func(n string) bool { return n != "inputs" && n != "passed" && n != "approved" })
}

// prompt is template for a text that a model is given: values that are not the user's own word are marked as data.
func (f *frame) prompt(s string) (string, error) {
	parts, err := expression.Split(s)
	if err != nil {
		return "", err
	}
	return expression.Fill(parts, func(src string) (string, error) {
		v, err := f.eval(src)
		if err == nil {
			v, err = jsonvalue.Of(v)
		}
		if err != nil {
			return "", err
		}
		return f.word(src, v), nil
	})
}

// word is the value of an expression as a prompt shows it.
func (f *frame) word(src string, v any) string {
	switch v.(type) {
	case nil, bool, int, float64:
		return jsonvalue.Render(v)
	}
	if name, ok := strings.CutPrefix(src, "inputs."); ok && f.shown[name] != "" {
		return f.shown[name]
	}
	if f.own(src) {
		return jsonvalue.Render(v)
	}
	return evidence.Mark(jsonvalue.Render(v))
}

// told is a text made of a template, as a prompt shows it.
func (f *frame) told(template, text string) string {
	if f.ownAll(template) {
		return text
	}
	return evidence.Mark(text)
}

// ownAll reports whether every expression in a value, in its texts at any depth, is the user's own word.
func (f *frame) ownAll(v any) bool {
	switch v := v.(type) {
	case string:
		parts, err := expression.Split(v)
		return err == nil && !slices.ContainsFunc(parts, func(p expression.Part) bool { return p.Expr && !f.own(p.Text) })
	case []any:
		return !slices.ContainsFunc(v, func(el any) bool { return !f.ownAll(el) })
	case map[string]any:
		for _, el := range v {
			if !f.ownAll(el) {
				return false
			}
		}
	}
	return true
}

// handedOn says how the prompts of a skill in use show the inputs that are more than the user's own word. with are the templates of the
// outer skill, in what they became.
func (f *frame) handedOn(with, in map[string]any) (map[string]string, error) {
	shown := map[string]string{}
	for name, v := range with {
		if f.ownAll(v) {
			continue
		}
		text := evidence.Mark(jsonvalue.Render(in[name]))
		if s, ok := v.(string); ok { // the author's own words around it stay as they are
			var err error
			if text, err = f.prompt(s); err != nil {
				return nil, err
			}
		}
		if text != "" {
			shown[name] = text
		}
	}
	return shown, nil
}
