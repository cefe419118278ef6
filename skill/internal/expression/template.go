package expression

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/skill/internal/message"
)

// Unwrap takes ${...} off an expression that is written as one.
func Unwrap(s string) string {
	if parts, err := Split(s); err == nil && len(parts) == 1 && parts[0].Expr {
		return parts[0].Text
	}
	return s
}

// A Part of a template is text, or an expression.
type Part struct {
	Text string
	Expr bool
}

// Split cuts "a ${b} c" into its parts. "$${" is a plain "${".
func Split(s string) (parts []Part, err error) {
	for {
		at := strings.Index(s, "${")
		if at < 0 {
			break
		}
		if at > 0 && s[at-1] == '$' {
			parts = append(parts, Part{Text: s[:at-1] + "${"})
			s = s[at+2:]
			continue
		}
		if at > 0 {
			parts = append(parts, Part{Text: s[:at]})
		}
		end := exprEnd(s[at+2:])
		if end < 0 {
			return nil, fmt.Errorf("${ without its }: %q", message.Clip(s[at:], 200))
		}
		parts = append(parts, Part{Text: s[at+2 : at+2+end], Expr: true})
		s = s[at+2+end+1:]
	}
	if s != "" {
		parts = append(parts, Part{Text: s})
	}
	return parts, nil
}

// exprEnd is the index of the brace that closes an expression; braces inside it and its quotes count.
func exprEnd(s string) int {
	depth := 0
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '\\' && quote != '`' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// Fill puts what text gives for each expression in its place. What comes out is never looked at for expressions again.
func Fill(parts []Part, text func(src string) (string, error)) (string, error) {
	var b strings.Builder
	for _, p := range parts {
		s := p.Text
		if p.Expr {
			var err error
			if s, err = text(p.Text); err != nil {
				return "", fmt.Errorf("${%s}: %w", p.Text, err)
			}
		}
		if b.Len()+len(s) > maxRendered {
			return "", fmt.Errorf("text over %d bytes", maxRendered)
		}
		b.WriteString(s)
	}
	return b.String(), nil
}
