package skill

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A reader takes values of certain types from nodes, and notes what is of another type. what names the place in a problem.
type reader struct {
	problems []*yamlError
}

// fields checks that n is a mapping with only the known keys, and hands them out.
func (r *reader) fields(n *node, what string, known ...string) map[string]*node {
	out := map[string]*node{}
	if n.kind != mapNode {
		r.add(n.line, "%s: must be a mapping", what)
		return out
	}
	for _, k := range n.keys {
		if !slices.Contains(known, k.name) {
			r.add(k.line, "%s: unknown key %q%s (known: %s)", what, k.name, didYouMean(k.name, known), strings.Join(known, ", "))
			continue
		}
		out[k.name] = k.node
	}
	return out
}

// maxProblems of one file are told: a hostile one has one in each line.
const maxProblems = 100

func (r *reader) add(line int, format string, args ...any) {
	if len(r.problems) >= maxProblems {
		return
	}
	r.problems = append(r.problems, &yamlError{line, fmt.Sprintf(format, args...)})
}

func (r *reader) str(n *node, what string) string {
	if n == nil {
		return ""
	}
	if n.kind != scalarNode || n.value == nil {
		r.add(n.line, "%s: must be a text", what)
		return ""
	}
	return strings.TrimSpace(n.text)
}

func (r *reader) num(n *node, what string, lowest, highest int) int {
	if n == nil {
		return 0
	}
	v, ok := n.value.(int)
	if !ok || v < lowest || v > highest {
		r.add(n.line, "%s: must be a whole number from %d to %d", what, lowest, highest)
		return 0
	}
	return v
}

func (r *reader) boolean(n *node, what string) bool {
	if n == nil {
		return false
	}
	v, ok := n.value.(bool)
	if !ok {
		r.add(n.line, "%s: must be true or false", what)
	}
	return v
}

// strs takes a list of texts or one text.
func (r *reader) strs(n *node, what string) []string {
	if n == nil {
		return nil
	}
	if n.kind == scalarNode {
		if s := r.str(n, what); s != "" {
			return []string{s}
		}
		return nil
	}
	if n.kind != listNode {
		r.add(n.line, "%s: must be a list of texts", what)
		return nil
	}
	out := []string{}
	for _, el := range n.list {
		if s := r.str(el, what); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (r *reader) object(n *node, what string) map[string]any {
	if n == nil {
		return nil
	}
	if n.kind != mapNode {
		r.add(n.line, "%s: must be a mapping", what)
		return nil
	}
	return n.plain().(map[string]any)
}

func (r *reader) duration(n *node, what string) time.Duration {
	if n == nil {
		return 0
	}
	d, err := time.ParseDuration(n.text)
	if err != nil || d < 0 || d > 24*time.Hour {
		r.add(n.line, "%s: must be a time such as 15m or 2s, at most 24h", what)
		return 0
	}
	return d
}
