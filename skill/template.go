package skill

import (
	"fmt"
	"strings"
)

// unwrap takes ${...} off an expression that is written as one.
func unwrap(s string) string {
	if parts, err := splitTemplate(s); err == nil && len(parts) == 1 && parts[0].expr {
		return parts[0].text
	}
	return s
}

type part struct {
	text string
	expr bool
}

// splitTemplate cuts "a ${b} c" into its parts. "$${" is a plain "${".
func splitTemplate(s string) (parts []part, err error) {
	for {
		at := strings.Index(s, "${")
		if at < 0 {
			break
		}
		if at > 0 && s[at-1] == '$' {
			parts = append(parts, part{text: s[:at-1] + "${"})
			s = s[at+2:]
			continue
		}
		if at > 0 {
			parts = append(parts, part{text: s[:at]})
		}
		end := exprEnd(s[at+2:])
		if end < 0 {
			return nil, fmt.Errorf("${ without its }: %q", clipText(s[at:], 200))
		}
		parts = append(parts, part{text: s[at+2 : at+2+end], expr: true})
		s = s[at+2+end+1:]
	}
	if s != "" {
		parts = append(parts, part{text: s})
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
