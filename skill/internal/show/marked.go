package show

import (
	"strings"

	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill/evidence"
)

// Whatever a model is shown that is not the host's, the skill author's or the user's own word stands in marked data (see
// [evidence.Mark]): what tools return, their errors, evidence, other models' words, and whatever quotes one of these. The marks are
// set where a request is made, whether or not a tool has set some itself, and values of steps are without them.

// Data is a text as a model is shown it, with a line end behind it.
func Data(text string) string {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return "(empty)\n"
	}
	return evidence.Mark(text) + "\n"
}

// Leading takes the block of marked data off with which a text begins, and returns its content and what stands behind it.
func Leading(text string) (content, behind string, ok bool) {
	head, rest, ok := strings.Cut(text, ">\n")
	id, opens := strings.CutPrefix(head, "<data ")
	if !ok || !opens || len(id) > 64 {
		return "", "", false
	}
	end := "\n</data " + id + ">"
	n := strings.Index(rest, end)
	if n < 0 {
		return "", "", false
	}
	stop := len(text) - len(rest) + n + len(end)
	content, ok = evidence.Unmark(text[:stop])
	return content, text[stop:], ok
}

// Unmark is what a tool returned without the marks that it set itself, in visible form.
func Unmark(text string) string {
	if content, behind, ok := Leading(text); ok {
		text = content + behind
	}
	return visible.Text(text)
}

// Rewrite changes a text that a tool returned. When the tool marked it, what is inside of the marks is changed, and marked again.
func Rewrite(text string, change func(string) string) string {
	content, behind, ok := Leading(text)
	if !ok {
		return change(text)
	}
	if content = change(content); content != "" {
		content = evidence.Mark(content)
	}
	return content + behind
}
