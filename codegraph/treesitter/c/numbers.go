package c

import "strings"

// canonicalType gives the usual name of a type that the language itself has: "unsigned long" for "long unsigned int".
func canonicalType(s string) string {
	words := strings.Fields(s)
	if len(words) == 1 && s != "unsigned" && s != "signed" {
		return s
	}
	n := map[string]int{}
	for _, w := range words {
		switch w {
		case "unsigned", "signed", "char", "short", "int", "long", "double", "float":
			n[w]++
		default:
			return strings.Join(words, " ")
		}
	}
	base := "int"
	switch {
	case n["char"] > 0 && n["signed"] > 0:
		return "signed char"
	case n["char"] > 0:
		base = "char"
	case n["double"] > 0:
		base = "double"
		if n["long"] > 0 {
			base = "long double"
		}
	case n["short"] > 0:
		base = "short"
	case n["long"] > 1:
		base = "long long"
	case n["long"] > 0:
		base = "long"
	}
	if n["unsigned"] > 0 {
		base = "unsigned " + base
	}
	return base
}

// literalType gives the type of a number as it is written, by its point, exponent and suffix. A number too large for the type
// is not looked for.
func literalType(s string) string {
	s = strings.ToLower(s)
	hex := strings.HasPrefix(s, "0x")
	if !hex && strings.ContainsAny(s, ".e") || hex && strings.Contains(s, "p") {
		switch s[len(s)-1] {
		case 'f':
			return "float"
		case 'l':
			return "long double"
		}
		return "double"
	}
	i := len(s)
	for i > 0 && (s[i-1] == 'u' || s[i-1] == 'l' || s[i-1] == 'z') {
		i--
	}
	suffix := s[i:]
	if strings.Contains(suffix, "z") {
		return "size_t"
	}
	base := [...]string{"int", "long", "long long"}[min(strings.Count(suffix, "l"), 2)]
	if strings.Contains(suffix, "u") {
		base = "unsigned " + base
	}
	return base
}
