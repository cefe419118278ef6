package syntax

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/skill/internal/message"
)

// A Reader takes values of certain types from nodes, and notes what is of another type. what names the place in a problem.
type Reader struct {
	Problems []*Error
}

// Fields checks that n is a mapping with only the known keys, and hands them out.
func (r *Reader) Fields(n *Node, what string, known ...string) map[string]*Node {
	out := map[string]*Node{}
	if n.Kind != MapNode {
		r.Problem(n.Line, "%s: must be a mapping", what)
		return out
	}
	for _, k := range n.Keys {
		if !slices.Contains(known, k.Name) {
			r.Problem(k.Line, "%s: unknown key %q%s (known: %s)", what, k.Name, message.DidYouMean(k.Name, known), strings.Join(known, ", "))
			continue
		}
		out[k.Name] = k.Node
	}
	return out
}

// MaxProblems of one file are told: a hostile one has one in each line.
const MaxProblems = 100

// Problem notes what is wrong in a line.
func (r *Reader) Problem(line int, format string, args ...any) {
	if len(r.Problems) >= MaxProblems {
		return
	}
	r.Problems = append(r.Problems, &Error{line, fmt.Sprintf(format, args...)})
}

// Text is a scalar as it was written; of no node it is empty, as the other methods give zero.
func (r *Reader) Text(n *Node, what string) string {
	if n == nil {
		return ""
	}
	if n.Kind != ScalarNode || n.Value == nil {
		r.Problem(n.Line, "%s: must be a text", what)
		return ""
	}
	return strings.TrimSpace(n.Text)
}

// Number is a whole number within bounds.
func (r *Reader) Number(n *Node, what string, lowest, highest int) int {
	if n == nil {
		return 0
	}
	v, ok := n.Value.(int)
	if !ok || v < lowest || v > highest {
		r.Problem(n.Line, "%s: must be a whole number from %d to %d", what, lowest, highest)
		return 0
	}
	return v
}

// Bool is true or false.
func (r *Reader) Bool(n *Node, what string) bool {
	if n == nil {
		return false
	}
	v, ok := n.Value.(bool)
	if !ok {
		r.Problem(n.Line, "%s: must be true or false", what)
	}
	return v
}

// Texts takes a list of texts or one text.
func (r *Reader) Texts(n *Node, what string) []string {
	if n == nil {
		return nil
	}
	if n.Kind == ScalarNode {
		if s := r.Text(n, what); s != "" {
			return []string{s}
		}
		return nil
	}
	if n.Kind != ListNode {
		r.Problem(n.Line, "%s: must be a list of texts", what)
		return nil
	}
	out := []string{}
	for _, el := range n.List {
		if s := r.Text(el, what); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Object is a mapping of any values.
func (r *Reader) Object(n *Node, what string) map[string]any {
	if n == nil {
		return nil
	}
	if n.Kind != MapNode {
		r.Problem(n.Line, "%s: must be a mapping", what)
		return nil
	}
	return n.Plain().(map[string]any)
}

// Duration is a time of up to a day.
func (r *Reader) Duration(n *Node, what string) time.Duration {
	if n == nil {
		return 0
	}
	d, err := time.ParseDuration(n.Text)
	if err != nil || d < 0 || d > 24*time.Hour {
		r.Problem(n.Line, "%s: must be a time such as 15m or 2s, at most 24h", what)
		return 0
	}
	return d
}
