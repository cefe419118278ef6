package report

import (
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Frame is one line of a traceback.
type Frame struct {
	Path string // as it was written, slash-separated
	Line int    // from 1; 0 for none
	Name string // of the function, as it was written; "" for none
	Last bool   // the traceback ends here: what went wrong is nearest
}

func (f Frame) String() string {
	if f.Line == 0 {
		return f.Path
	}
	return f.Path + ":" + strconv.Itoa(f.Line)
}

// The forms of frames, of each the groups that hold the path, the line and the function.
var frameForms = []struct {
	re               *lazyregexp.Regexp
	path, line, name int
	late             bool // the innermost frame comes last
}{
	// Python, https://docs.python.org/3/library/traceback.html; newer IPython writes a place with a colon.
	{lazyregexp.New(`^\s*(?:E\s+)?File "([^"\n]+)", line (\d+)(?:, in (\S+))?`), 1, 2, 3, true},
	{lazyregexp.New(`^\s*File ([~/\w.][^\s:"]*\.pyx?):(\d+)(?:, in ([\w.<>]+))?`), 1, 2, 3, true},
	{lazyregexp.New(`^\s*([~/.\w][^\s:"]*\.pyx?) in ([\w.<>]+)\(`), 1, 0, 2, true},                                 // IPython before 8
	{lazyregexp.New(`^\s*([~/.\w][^\s:"]*\.pyx?):(\d+): (?:in ([\w.<>]+)|\w+(?:Error|Exception))`), 1, 2, 3, true}, // pytest
	// JavaScript, https://v8.dev/docs/stack-trace-api.
	{lazyregexp.New(`^\s*at (?:async )?(?:new )?(?:([\w$.<>\[\] #]+?) )?\(?((?:(?:file|https?)://|webpack(?:-internal)?://+)?[~./\w@\\:-][^\s()"?]*\.(?:[cm]?[jt]sx?|vue|svelte))(?:\?[^\s():"]*)?:(\d+)(?::\d+)?\)?`), 2, 3, 1, false},
	{lazyregexp.New(`^\s*([\w$.<>/*]*)@((?:file|https?|webpack)://[^\s"?]+?\.(?:[cm]?[jt]sx?|vue|svelte))(?:\?[^\s:"]*)?:(\d+)(?::\d+)?`), 2, 3, 1, false}, // Firefox, Safari
	// Java and its relatives, Throwable.printStackTrace.
	{lazyregexp.New(`^\s*at ((?:[\w$]+[./])+[\w$<>]+)\(([\w$-]+\.(?:java|kt|scala|groovy)):(\d+)\)`), 2, 3, 1, false},
	// Rust: std::backtrace, and the place of a panic.
	{lazyregexp.New(`^\s*at ([~./\w\\:-][^\s()"]*\.rs):(\d+)(?::\d+)?`), 1, 2, 0, false},
	{lazyregexp.New(`panicked at (?:'.*', )?([^\s,':"]+\.rs):(\d+)(?::\d+)?`), 1, 2, 0, false},
	{lazyregexp.New(`^\s*-->\s+([^\s:"]+\.\w+):(\d+)(?::\d+)?`), 1, 2, 0, false}, // rustc
	// Go, runtime.Stack.
	{lazyregexp.New(`^\s*([~./\w\\:@-][^\s()"]*\.go):(\d+)(?::\d+)?(?:\s\+0x[0-9a-f]+|[:\s]|$)`), 1, 2, 0, false},
	// C and C++: gdb, the sanitizers, compilers.
	{lazyregexp.New(`^\s*#\d+\s+(?:0x[0-9a-fA-F]+\s+)?in (\S+)[^\n]*?\s(?:at )?([~./\w\\-][^\s():"]*\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|inl)):(\d+)`), 2, 3, 1, false},
	{lazyregexp.New(`^\s*([~./\w\\-][^\s():"]*\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|inl)):(\d+)(?::\d+)?: `), 1, 2, 0, false},
}

var (
	goFrameName   = lazyregexp.New(`^\s*((?:[\w.~-]+/)*[\w~-]+\.(?:\(\*?\w+(?:\[[^\]]*\])?\)\.)?[\w.]+(?:\[[^\]]*\])?)\([^\n]*\)\s*$`)
	rustFrameName = lazyregexp.New(`^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(<?[\w:<>&' ,{}#*-]+?)(?:::h[0-9a-f]{16})?\s*$`)
	pythonTrace   = lazyregexp.New(`^\s*(?:E\s+)?Traceback \(most recent call last\)`)
)

// The bounds of the frames of a report: a recursion has the same ones again and again.
const (
	maxFrames = 400
	maxFrame  = 2000 // bytes of a line that may be one
)

// cutFrames takes the frames of tracebacks out of lines, and with them the lines of source that Python and IPython show
// below a frame, and those above one that name its function. The frames of each traceback come innermost first.
func cutFrames(lines []string) ([]Frame, []string) {
	var out, run []Frame
	rest := lines[:0:0]
	late, gap, name, held := false, 0, "", ""
	flush := func() {
		if late {
			for i, j := 0, len(run)-1; i < j; i, j = i+1, j-1 {
				run[i], run[j] = run[j], run[i]
			}
		}
		if len(run) > 0 {
			run[0].Last = true
		}
		out, run = append(out, run...), nil
	}
	source := 0
	for _, l := range lines {
		if len(l) > maxFrame || len(out)+len(run) >= maxFrames {
			if held != "" {
				rest, held, name = append(rest, held), "", ""
			}
			rest = append(rest, l)
			continue
		}
		if f, isLate, ok := readFrame(quoteMark.ReplaceAllString(l, "")); ok {
			if len(run) > 0 && isLate != late {
				flush()
			}
			late = isLate
			if f.Name == "" {
				f.Name = name
			}
			run, gap, name, held = append(run, f), 0, "", ""
			source = 0
			if strings.Contains(l, "File \"") {
				source = 1
			}
			continue
		}
		if source > 0 && strings.HasPrefix(l, "    ") {
			source-- // the line of source below a frame; the frame says which
			continue
		}
		source = 0
		if held != "" { // no frame followed
			rest, held, name = append(rest, held), "", ""
		}
		if m := goFrameName.FindStringSubmatch(l); m != nil {
			name, held = m[1], l
			continue
		} else if m := rustFrameName.FindStringSubmatch(l); m != nil {
			name, held = m[1], l
			continue
		} else if gap++; gap > 12 || pythonTrace.MatchString(l) {
			flush()
			gap = 0
		}
		rest = append(rest, l)
	}
	flush()
	if held != "" {
		rest = append(rest, held)
	}
	return out, rest
}

// readFrame reads one line of a traceback; late tells that in such a traceback the innermost frame is the last.
func readFrame(l string) (f Frame, late, ok bool) {
	if !strings.ContainsAny(l, ":\"(") || !strings.Contains(l, ".") {
		return f, false, false
	}
	for _, form := range frameForms {
		m := form.re.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		f.Path = strings.ReplaceAll(m[form.path], `\`, "/")
		if i := strings.Index(f.Path, "://"); i >= 0 {
			f.Path = f.Path[i+3:]
		}
		if form.line > 0 {
			if n, err := strconv.Atoi(m[form.line]); err == nil { // too long a number is no line
				f.Line = n
			}
		}
		if form.name > 0 {
			f.Name = m[form.name]
		}
		return f, form.late, true
	}
	return f, false, false
}
