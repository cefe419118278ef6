package writtenname

import (
	"path"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Name is a name taken apart. People and programs write the same thing as "Class.method", "path.py:func",
// "path.py::Class::method" (test runners), "pkg::Type::f" (Rust, C++), "Class#method" (documentation), "(*T).Run" (Go
// symbols), "module.func", "func(a, b)", "def func(a):", "path:line", `File "path", line 12` (tracebacks).
type Name struct {
	Path  string   // slash-separated, as far as it was written; "" for none
	Line  int      // from 1; 0 for none
	Parts []string // names, outermost first; modules and packages may stand before
}

var (
	traceLine  = lazyregexp.New(`^File "([^"]+)", line (\d+)`)
	placeForm  = lazyregexp.New(`^(.*?[^:\s])(?::L?|#L|\(|, line | line )(\d+)(?:[-:,].*|\).*)?$`)
	goReceiver = lazyregexp.New(`^func\s*\(\s*(?:[\pL\pN_]+\s+)?\*?\s*([\pL\pN_]+)[^)]*\)\s*([\pL\pN_]+)`)
	goSymbol   = lazyregexp.New(`\(\*?([\pL\pN_./]+)\)\.`)
	headWord   = lazyregexp.New(`^(?:(?:async|export|default|public|private|protected|static|pub|abstract|final|const|unsafe)\s+)*(?:def|class|func|function|fn|struct|interface|trait|enum)\s+(\S.*)$`)
	declHead   = lazyregexp.New(`^(?:(?:async|export|default|public|private|protected|static|pub|abstract|final|const|unsafe|declare)\s+)*(?:def|class|func|function|fn|struct|interface|trait|enum|type)\s+([\pL_$][\pL\pN_$.]*)\s*(?:[<({:=\[]|(?:extends|implements|struct|interface)\b)`)
	typeArgs   = lazyregexp.New(`([\pL\pN_])<[^<>]+>`)
	arguments  = lazyregexp.New(`([\pL\pN_$])\s*\(.*$`)
	numbered   = lazyregexp.New(`#\d+$`)
)

// maxName bounds a written name, in bytes; a longer text is no name.
const maxName = 512

// Parse takes a written name apart; ok is false for what is none, such as a sentence.
func Parse(s string) (w Name, ok bool) {
	if len(s) > maxName {
		return w, false
	}
	s = strings.Trim(strings.TrimSpace(s), "`'\" \t")
	if m := traceLine.FindStringSubmatch(s); m != nil {
		w.Path = cleanPath(m[1])
		w.Line, _ = strconv.Atoi(m[2]) // too long a number is no line
		return w, w.Line > 0
	}
	if m := goReceiver.FindStringSubmatch(s); m != nil {
		return Name{Parts: m[1:3]}, true
	}
	if m := placeForm.FindStringSubmatch(s); m != nil && !strings.ContainsAny(m[1], " \t") && strings.ContainsAny(m[1], "./") {
		if n, err := strconv.Atoi(m[2]); err == nil && n > 0 {
			return Name{Path: cleanPath(m[1]), Line: n}, true
		}
	}
	if m := declHead.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	if m := headWord.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	s = goSymbol.ReplaceAllString(s, "$1.")
	s = arguments.ReplaceAllString(s, "$1")
	s = strings.TrimRight(strings.TrimSpace(s), ":,;.")
	if s == "" || strings.ContainsAny(s, " \t\n") {
		return w, false
	}
	s = typeArgs.ReplaceAllString(s, "$1")
	s = strings.ReplaceAll(s, `\`, "/")
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		// What stands behind the last slash may go on after the file's name.
		file, rest := cutFile(s[i+1:])
		w.Path, s = cleanPath(s[:i+1]+file), rest
	} else if file, rest := cutFile(s); rest != "" {
		w.Path, s = file, rest
	}
	if w.Path != "" && s == "" {
		return w, true
	}
	suffix := numbered.FindString(s)
	s = strings.NewReplacer("::", ".", "->", ".", ":", ".", "#", ".").Replace(strings.TrimSuffix(s, suffix))
	for p := range strings.SplitSeq(s, ".") {
		if p != "" && (len(w.Parts) > 0 || p != "crate" && p != "self" && p != "super" && p != "this" && p != "cls") {
			w.Parts = append(w.Parts, p)
		}
	}
	if n := len(w.Parts); n > 0 {
		w.Parts[n-1] += suffix
	}
	return w, len(w.Parts) > 0
}

// Unnumbered gives an id without the number of a repeated declaration.
func Unnumbered(id string) string { return numbered.ReplaceAllString(id, "") }

// cutFile cuts the name of a file, with its colon, off the names in it. A name without a colon is all file.
func cutFile(s string) (file, rest string) {
	i := strings.IndexAny(s, ":#")
	if i < 0 {
		return s, ""
	}
	if numbered.MatchString(s[i:]) || !strings.HasPrefix(s[i:], "::") && s[i] == '#' && !strings.Contains(s[:i], ".") {
		return "", s
	}
	if strings.HasPrefix(s[i:], "::") && !strings.Contains(s[:i], ".") {
		return "", s // pkg::f
	}
	return s[:i], strings.TrimLeft(s[i:], ":#")
}

func cleanPath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}
