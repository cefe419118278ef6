package c

import (
	"strings"

	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// What braces around a token hold.
const (
	inFile  = iota // a file, a namespace or a class: declarations
	inBody         // a function's body: statements
	inValue        // an initialiser or an enumeration
)

// macros blanks what no grammar can read without the preprocessor: words before names, macros that stand for
// declarations, and those that stand for a statement together with its semicolon.
func (s *source) macros() {
	ctx := []byte{inFile}
	classes := []string{""} // names of the classes that these braces are of
	around := func() byte { return ctx[len(ctx)-1] }
	start := true   // a declaration or statement may begin here
	parens := 0     // open parentheses in the innermost braces
	var outer []int // parens of the braces around
	for i := 0; i < len(s.toks); i++ {
		switch s.kind(i) {
		case '{':
			kind := byte(inBody)
			if around() == inFile && parens == 0 {
				kind = s.braces(i)
			} else if around() == inValue || i > 0 && (s.kind(i-1) == '=' || s.kind(i-1) == ',' || s.kind(i-1) == '(') {
				kind = inValue
			} else if around() == inBody && parens == 0 && s.braces(i) == inFile {
				kind = inFile // a local class
			}
			if len(ctx) < 10_000 {
				ctx, outer, parens = append(ctx, kind), append(outer, parens), 0
				s.class = ""
				if kind == inFile {
					s.class = s.classOf(i)
				}
				classes = append(classes, s.class)
			}
			start = true
			continue
		case '}':
			if len(ctx) > 1 {
				parens = outer[len(outer)-1]
				ctx, outer, classes = ctx[:len(ctx)-1], outer[:len(outer)-1], classes[:len(classes)-1]
				s.class = classes[len(classes)-1]
			}
			start = true
			continue
		case '*':
			if s.kind(i+1) == '[' { // new T*[n]
				s.blank(s.toks[i].start, s.toks[i].end)
				if s.kind(i-1) == '*' {
					s.blank(s.toks[i-1].start, s.toks[i-1].end)
				}
			}
		case '(':
			parens++
		case ')':
			parens = max(0, parens-1)
		case ';':
			start = true
			continue
		case 'a':
			if end := s.instantiation(i); start && parens == 0 && end > 0 {
				from := s.toks[i].start
				if s.text(i-1) == "extern" {
					from = s.toks[i-1].start
				}
				s.blank(from, s.toks[end].end)
				i, start = end, true
				continue
			}
			if next, still := s.nextName(i, around(), start, parens, len(ctx)); next > i {
				i, start = next-1, still // brackets inside are balanced
				continue
			} else if still {
				continue // start stays
			}
		case ':':
			if i > 0 && start {
				continue
			}
			switch s.text(i - 1) {
			case "public", "private", "protected", "slots", "signals", "default":
				start = true
				continue
			}
		case '>':
			if start = s.template(i); start {
				continue
			}
		}
		start = false
	}
}

// classOf gives the name of the class whose body the brace at i opens, or "".
func (s *source) classOf(i int) string {
	name := ""
	for j := i - 1; j >= 0 && j > i-80; j-- {
		switch s.kind(j) {
		case ';', '}', '{':
			return ""
		case ':':
			name = "" // what was behind are base classes
		case '>':
			for depth := 0; j >= 0 && j > i-80; j-- { // arguments of a specialisation
				if k := s.kind(j); k == '>' {
					depth++
				} else if k == '<' {
					if depth--; depth == 0 {
						break
					}
				}
			}
		case 'a':
			switch w := s.text(j); w {
			case "class", "struct", "union":
				return name
			case "final":
			default:
				if name == "" {
					name = w
				}
			}
		}
	}
	return ""
}

// template tells whether the bracket at i closes the parameters of a template.
func (s *source) template(i int) bool {
	depth := 0
	for j := i; j >= 0 && j > i-200; j-- {
		switch s.kind(j) {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return s.text(j-1) == "template"
			}
		case ';', '{':
			return false
		}
	}
	return false
}

// instantiation gives the end of a declaration at i that only says to instantiate a function template whose result stands
// behind its parameters, which the grammar does not know; 0 when it is none.
func (s *source) instantiation(i int) int {
	if s.text(i) != "template" || s.kind(i+1) == '<' {
		return 0
	}
	for j := i + 1; j < len(s.toks) && j < i+200; j++ {
		switch s.kind(j) {
		case ';', '{', '}':
			return 0
		case 'o':
			if s.text(j) != "->" {
				continue
			}
			for ; j < len(s.toks) && j < i+200; j++ {
				if k := s.kind(j); k == ';' {
					return j
				} else if k == '{' || k == '}' {
					return 0
				}
			}
		}
	}
	return 0
}

// inTemplate tells whether the token at i is among the parameters of a template.
func (s *source) inTemplate(i int) bool {
	for j := i; j >= 0 && j > i-200; j-- {
		switch s.kind(j) {
		case ';', '{', '}':
			return false
		case 'a':
			if s.text(j) == "template" {
				return true
			}
		}
	}
	return false
}

// braces tells what the brace at i opens, outside of functions.
func (s *source) braces(i int) byte {
	for j := i - 1; j >= 0 && j > i-80; j-- {
		switch s.kind(j) {
		case ')':
			if p := s.pair[j]; p >= 0 {
				switch s.text(int(p) - 1) {
				case "alignas", "decltype", "__attribute__", "__declspec", "noexcept":
					j = int(p)
					continue
				}
			}
			return inBody
		case '=':
			return inValue
		case ';', '}', '{':
			return inBody
		case '"':
			return inFile // extern "C"
		case 'a':
			switch s.text(j) {
			case "namespace", "class", "struct", "union":
				return inFile
			case "enum", "return":
				return inValue
			case "else", "do", "try":
				return inBody
			}
		}
	}
	return inBody
}

// declares tells whether a declaration with a type goes on at i, where a macro may stand before it.
func (s *source) declares(i int) bool {
	if s.kind(i) == 'q' || s.kind(i) == '~' && s.class != "" && s.text(i+1) == s.class { // ::name, a destructor
		return true
	}
	if s.kind(i) != 'a' {
		return s.kind(i) == '[' && s.kind(i+1) == '['
	}
	w := s.text(i)
	switch {
	case typeWords[w], w == "operator", s.class != "" && w == s.class && s.kind(i+1) == '(': // a constructor
		return true
	case w == "const" || w == "volatile":
		return s.kind(i+1) == 'a' && (typeWords[s.text(i+1)] || s.makesType(i+2))
	case keywords[w]:
		return false
	case s.erasable[w] == macroSays || quietMacros[w]:
		return s.declares(i + 1)
	}
	return s.makesType(i+1) || w != s.text(i+1) && isMacroName(w) && s.declares(i+1)
}

// makesType tells whether what stands at i makes the name before it a type.
func (s *source) makesType(i int) bool {
	switch s.kind(i) {
	case 'a':
		return !keywords[s.text(i)] || s.text(i) == "const" || s.text(i) == "operator"
	case '*', '&', 'q', '<':
		return true
	}
	return false
}

// leadingWords are keywords behind which a declaration may still begin.
var leadingWords = core.Words("static inline extern virtual constexpr friend explicit public private protected default")

// nextName looks at the name at i. It gives the token to go on with, i for the next one, and whether a declaration may
// still begin there.
func (s *source) nextName(i int, around byte, start bool, parens, depth int) (next int, still bool) {
	t, w := s.toks[i], s.text(i)
	took := func(call bool) {
		if !quietMacros[w] && !strings.HasPrefix(w, "__") {
			s.removed = append(s.removed, macroUse{byteRange{t.start, t.end}, call})
		}
	}
	wipe := func(to int) (int, bool) { // tokens i up to and without to
		took(to > i+1)
		s.blank(t.start, s.toks[to-1].end)
		return to, start
	}
	open, close := s.kind(i+1) == '(', -1
	strip := func() (int, bool) { // the name and the parentheses go, what is between them stays
		took(true)
		s.blank(t.start, s.toks[i+1].end)
		s.blank(s.toks[close].start, s.toks[close].end)
		return i + 1, start
	}
	if open {
		close = int(s.pair[i+1])
	}
	switch {
	case w == "__attribute__" || w == "__attribute" || w == "__declspec":
		if close > 0 {
			return wipe(close + 1)
		}
		return i, start
	case quietMacros[w] && (w != "restrict" || !s.cpp):
		return wipe(i + 1)
	case w == "unsigned" && open: // the grammar knows no conversion called so
		copy(s.out[t.start:t.end], "uint32_t")
		return i, false
	case w == "enum" && s.kind(i+1) == ':': // without a name, but with a type
		for j := i + 1; j < len(s.toks) && j < i+20; j++ {
			if s.kind(j) == '{' {
				s.blank(s.toks[i+1].start, s.toks[j-1].end)
				break
			}
		}
		return i, false
	case w == "class" || w == "struct" || w == "union":
		s.eraseAttributes(i)
		return i, start
	case start && leadingWords[w]:
		return i, true
	case keywords[w] || typeWords[w]:
		return i, false
	}
	switch s.erasable[w] {
	case macroSays:
		if !open {
			return wipe(i + 1)
		}
	case macroOpens, macroCloses:
		if start {
			s.namespace(i, around, depth)
			return wipe(i + 1)
		}
	}
	if !isMacroName(w) && !strings.HasPrefix(w, "__") {
		if (w == "slots" || w == "signals" || w == "Q_SLOTS") && s.kind(i+1) == ':' && start || s.kind(i-1) == '"' && strings.HasPrefix(w, "PRI") {
			return wipe(i + 1)
		}
		return i, false
	}
	if s.between(i) || s.text(i-1) == "if" && s.kind(i+1) == '(' || start && parens == 0 && around == inBody && s.kind(i+1) == '{' {
		return wipe(i + 1)
	}
	prev := s.kind(i - 1)
	begins := start || s.text(i-1) == "template" || prev == '(' || prev == ',' && parens > 0
	if !open {
		if start && parens == 0 && around == inFile && strings.Contains(w, "NAMESPACE") && s.namespace(i, around, depth) {
			return wipe(i + 1)
		}
		if begins && (s.kind(i+1) == 'a' || s.kind(i+1) == '~') && around != inValue && s.declares(i+1) {
			// "T name(" on two lines is a result's type; "MACRO T name" is not.
			return wipe(i + 1)
		}
		if start && parens == 0 && t.first && i+1 < len(s.toks) && s.toks[i+1].first && (s.kind(i+1) == 'a' || s.kind(i+1) == '}') {
			if around == inFile && !(s.kind(i+2) == '(' && s.kind(i+1) == 'a') {
				return wipe(i + 1)
			}
			if around == inBody {
				s.put(t.end, ';')
				return i, false
			}
		}
		if s.isTrailingMacro(i, i+1) {
			return wipe(i + 1)
		}
		return i, false
	}
	if close < 0 {
		return i, false
	}
	after := close + 1
	if prev == ',' && (s.kind(after) == '>' || s.kind(after) == ',') && s.inTemplate(i) { // a condition among template parameters
		s.blank(s.toks[i-1].start, s.toks[i-1].end)
		return wipe(after)
	}
	if start && parens == 0 {
		switch {
		case after >= len(s.toks), s.kind(after) == '}':
			if around == inBody {
				s.put(s.toks[close].end, ';')
				return i, false
			}
			if around == inFile {
				return wipe(after)
			}
		case s.kind(after) == ';' && w != s.class && around != inValue && s.areNoValues(i+2, close):
			return wipe(after + 1)
		case around == inBody && (s.kind(after) == '{' || t.first && after < len(s.toks) && s.toks[after].first) && s.areNoValues(i+2, close):
			return wipe(after) // CATCH(...) { or PRAGMA(diagnostic push)
		case s.kind(after) == '{' && around == inBody:
			s.put(s.toks[close].end, ';') // a loop that a macro makes
			return i, false
		case s.kind(after) == 'a' && around == inFile:
			if s.typeLike(i+2, close) && !s.toks[after].first && !typeWords[s.text(after)] { // API(type) name(...)
				return strip()
			}
			if s.kind(after+1) == '(' && !s.toks[after].first && s.kind(int(max(0, s.pair[after+1]))+1) == '{' {
				return i, false
			}
			return wipe(after)
		case s.kind(after) == 'a' && around == inBody && s.toks[after].first:
			s.put(s.toks[close].end, ';')
			return i, false
		case s.kind(after) == '*' && around == inFile && s.typeLike(i+2, close):
			return strip()
		}
	}
	if s.isTrailingMacro(i, after) {
		return wipe(after)
	}
	return i, false
}

// areNoValues tells whether arguments of a macro cannot be values: types, words side by side, a lone pointer.
func (s *source) areNoValues(from, to int) bool {
	for i := from; i < to; i++ {
		next := s.kind(i + 1)
		if i+1 == to {
			next = ','
		}
		switch s.kind(i) {
		case 'a':
			if w := s.text(i); typeWords[w] && next != '(' && next != '{' || next == 'a' && w != "sizeof" && w != "new" && w != "not" && !keywords[s.text(i+1)] {
				return true
			}
		case '"':
			if next == 'a' && !strings.HasPrefix(s.text(i+1), "PRI") && !isMacroName(s.text(i+1)) {
				return true
			}
		case '&', '*':
			if next == ',' {
				return true
			}
		case '.':
			if next == '.' {
				return true
			}
		}
	}
	return false
}

// typeLike tells whether tokens may be a type.
func (s *source) typeLike(from, to int) bool {
	if from >= to {
		return false
	}
	for i := from; i < to; i++ {
		switch s.kind(i) {
		case 'a', '*', '&', 'q', '<', '>':
		default:
			return false
		}
	}
	return true
}

// isTrailingMacro tells whether the macro at i, which ends before token after, stands behind the parameters of a function or
// behind the name of a variable, where it can only be an attribute.
func (s *source) isTrailingMacro(i, after int) bool {
	switch s.kind(after) {
	case ';', '{', '=', ',', 'a', ':', ')':
	default:
		return false
	}
	if s.kind(after) == 'a' {
		switch w := s.text(after); {
		case w == "override" || w == "final" || w == "noexcept" || w == "const":
		case isMacroName(w): // another one
		default:
			return false
		}
	}
	j := i - 1
	for s.kind(j) == 'a' {
		switch s.text(j) {
		case "const", "override", "final", "noexcept":
			j--
			continue
		}
		break
	}
	if s.kind(j) == ')' {
		p := int(s.pair[j])
		if p > 1 && s.kind(after) != ',' && s.kind(after) != ')' && (s.class != "" && s.text(p-1) == s.class || s.text(p-2) == "operator") {
			return true
		}
		if p < 2 || s.kind(p-1) != 'a' || keywords[s.text(p-1)] || s.kind(after) == ',' || s.kind(after) == ')' {
			return false
		}
		// The name before the parameters must have a type before it, or be a method's.
		k := s.kind(p - 2)
		return k == 'a' && !keywords[s.text(p-2)] || k == '*' || k == '&' || k == '>' || k == 'q' || k == '~'
	}
	for s.kind(j) == ']' && s.pair[j] > 0 { // an array
		j = int(s.pair[j]) - 1
	}
	if s.plain(j) && (j == i-1 || s.kind(i-1) == ']' && s.kind(i+1) == '(') && s.kind(after) != 'a' {
		for s.kind(j-1) == 'a' && (s.text(j-1) == "const" || s.text(j-1) == "volatile") && j > 1 { // a constant pointer
			j--
		}
		switch k := s.kind(j - 1); k {
		case 'a':
			return s.plain(j-1) && !isMacroName(s.text(j-1)) || typeNames[s.text(j-1)]
		case '*', '&', '>':
			return s.kind(i+1) == '(' || s.kind(after) != '{'
		}
	}
	return false
}

// plain tells whether the token at i is a name, and was not taken out.
func (s *source) plain(i int) bool {
	if s.kind(i) != 'a' || s.out[s.toks[i].start] == ' ' {
		return false
	}
	w := s.text(i)
	return !keywords[w] && !typeWords[w]
}

// between tells whether the name at i stands between a type and a name, where only a macro can.
func (s *source) between(i int) bool {
	prev, next := s.kind(i-1), s.kind(i+1)
	if prev == '"' || next == '"' { // part of a string
		return s.text(i-2) != "extern" && (next == '"' && (prev == '(' || prev == ',' || prev == '"') || prev == '"' && (next == '"' || next == ')' || next == ',' || next == ';'))
	}
	if next == '*' && prev == '(' { // (CALL *f)(...)
		return s.kind(i+2) == 'a' && s.kind(i+3) == ')' && s.kind(i+4) == '(' && (s.kind(i-2) == 'a' || s.kind(i-2) == '*') && !keywords[s.text(i-2)]
	}
	return s.plain(i+1) && (prev == '*' && (s.kind(i+2) == '(' || s.kind(i+2) == ';') || s.plain(i-1) && !isMacroName(s.text(i-1)) || prev == 'a' && typeNames[s.text(i-1)])
}

// eraseAttributes blanks macros between the word class and the name of the class.
func (s *source) eraseAttributes(i int) {
	j := i + 1
	for s.kind(j) == 'a' {
		end := j + 1
		if s.kind(end) == '(' && s.pair[end] >= 0 {
			end = int(s.pair[end]) + 1
		}
		if s.kind(end) != 'a' || s.text(end) == "final" || keywords[s.text(end)] {
			return
		}
		behind := s.kind(end + 1)
		if s.text(end+1) == "final" {
			behind = '{'
		}
		if behind == '{' || behind == ':' && s.cpp || s.text(i) == "class" && behind == ';' || end > j+1 || isMacroName(s.text(end)) && isMacroName(s.text(j)) && s.kind(end+1) == 'a' {
			s.blank(s.toks[j].start, s.toks[end-1].end)
			j = end
			continue
		}
		return
	}
}
