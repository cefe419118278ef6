package syntax

import (
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

const (
	maxFront = 64 << 10 // bytes of front matter

	// MaxWorkflow is the largest workflow, in bytes.
	MaxWorkflow = 256 << 10
)

// SplitFront cuts the front matter between its two --- lines from the body. bodyLine is the line on which the body
// starts, from 1.
func SplitFront(text string) (front, body string, bodyLine int, err error) {
	first, rest, ok := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" || !ok {
		return "", "", 0, errors.New("no front matter: the file must start with a line ---")
	}
	for line, at := 2, 0; at < len(rest); line++ {
		end := strings.IndexByte(rest[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(rest)-at, len(rest)
		}
		if strings.TrimRight(rest[at:at+end], " \t") == "---" {
			return rest[:at], rest[next:], line + 1, nil
		}
		if at = next; at > maxFront {
			return "", "", 0, fmt.Errorf("front matter over %d bytes", maxFront)
		}
	}
	return "", "", 0, errors.New("the front matter has no closing line ---")
}

// plainColon finds a top-level value with a colon in it and no quotes, which YAML refuses and people write.
var plainColon = lazyregexp.New(`(?m)^((?:description|compatibility|license): +)([^'"|>\[{\s].*:.*)$`)

// QuoteColons puts quotes around such values.
func QuoteColons(front string) string {
	return plainColon.ReplaceAllStringFunc(front, func(m string) string {
		k, v, _ := strings.Cut(m, ": ")
		return k + ": '" + strings.ReplaceAll(strings.TrimSpace(v), "'", "''") + "'"
	})
}

// Names reads names of tools, "a b", "a, b" or a list. An entry such as Bash(git:*) is one name.
func Names(n *Node) []string {
	out := []string{}
	switch n.Kind {
	case ScalarNode:
		depth := 0
		out = strings.FieldsFunc(n.Text, func(r rune) bool {
			switch r {
			case '(':
				depth++
			case ')':
				depth--
			}
			return depth <= 0 && (r == ' ' || r == ',' || r == '\n' || r == '\t')
		})
	case ListNode:
		for _, el := range n.List {
			if el.Kind != ScalarNode || el.Text == "" {
				return nil
			}
			out = append(out, el.Text)
		}
	default:
		return nil
	}
	return out
}

// Lines are the lines of a text that hold something, without the space around them.
func Lines(s string) (out []string) {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// WorkflowBlock finds the fenced block whose info string is "yaml workflow". line is the line of its first content, in
// the file, and 0 when there is none. A block inside another fence is text.
func WorkflowBlock(body string, bodyLine int) (block string, line int, problems []*Error) {
	var (
		fence  string
		inside bool
		b      strings.Builder
		opened int
	)
	n := bodyLine - 1
	for text := range strings.Lines(body) {
		n++
		trimmed := strings.TrimSpace(text)
		if fence == "" {
			if !strings.HasPrefix(trimmed, "```") && !strings.HasPrefix(trimmed, "~~~") {
				continue
			}
			mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, trimmed[:1]))]
			info := strings.Fields(trimmed[len(mark):])
			fence, opened = mark, n
			inside = len(info) == 2 && info[0] == "yaml" && info[1] == "workflow"
			if inside && line > 0 {
				problems = append(problems, &Error{n, fmt.Sprintf("a second workflow block: the first starts in line %d", line-1)})
				inside = false
			} else if inside {
				line = n + 1
			}
			continue
		}
		if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
			fence, inside = "", false
			continue
		}
		if inside {
			b.WriteString(text)
		}
	}
	if inside {
		problems = append(problems, &Error{opened, "the workflow block is not closed"})
	}
	if b.Len() > MaxWorkflow {
		return "", line, append(problems, &Error{line, fmt.Sprintf("workflow block over %d bytes", MaxWorkflow)})
	}
	return b.String(), line, problems
}

// CleanText takes off a byte order mark and the carriage returns of line ends.
func CleanText(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
}
