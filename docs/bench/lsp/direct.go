package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/docs/bench/internal/rawlsp"
	"github.com/findspot/findspot/lspclient"
)

// place is where a name stands: line from 1, column in bytes from 1.
type place struct {
	path      string
	line, col int
}

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
}

// comparison asks three sources for the references of names.
type comparison struct {
	common
	lc   *lspclient.Client
	raw  *rawlsp.Server
	exts []string
	show bool
}

func direct(ctx context.Context, args []string) error {
	var c comparison
	f := flag.NewFlagSet("direct", flag.ContinueOnError)
	c.register(f)
	command := f.String("command", "", "command of the server for the bare connection, with arguments")
	settings := f.String("settings", "", "JSON of its settings")
	initial := f.String("init", "", "JSON of its initializationOptions")
	ready := f.String("ready-log", "", "regular expression for a logged line without which it is not ready")
	wait := f.Duration("wait", 10*time.Second, "how long the bare server is left to itself at least")
	n := f.Int("n", 30, "names in the sample, when none is given")
	seed := f.Uint64("seed", 1, "of the sample")
	exts := f.String("ext", "", "extensions of the language's files, such as .py,.pyi; empty: those of the answers")
	f.BoolVar(&c.show, "v", false, "print every place that differs")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *command == "" || *exts == "" {
		return errors.New(`direct: -command "gopls serve" and -ext .go are needed`)
	}
	root, err := filepath.Abs(c.root)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return err
	}
	c.root, c.exts = root, strings.Split(*exts, ",")
	if c.lc, err = c.open(ctx); err != nil {
		return err
	}
	defer c.lc.Close()
	o := &rawlsp.Options{Timeout: 5 * time.Minute, Env: []string{"GOPROXY=off", "GOTOOLCHAIN=local", "CARGO_NET_OFFLINE=true"}}
	if *ready != "" {
		if o.ReadyLog, err = regexp.Compile(*ready); err != nil {
			return err
		}
	}
	for text, into := range map[string]any{*settings: &o.Settings, *initial: &o.Init} {
		if text != "" {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				return fmt.Errorf("%q: %w", text, err)
			}
		}
	}
	names := f.Args()
	if len(names) == 0 {
		if names, err = c.sample(ctx, *n, *seed); err != nil {
			return err
		}
	}
	if c.raw, err = rawlsp.Start(strings.Fields(*command), root, o); err != nil {
		return err
	}
	defer c.raw.Stop()
	time.Sleep(*wait)
	return c.compare(ctx, names)
}

// files lists the files of the language, relative to the root and sorted, without those that no client would watch.
func (c *comparison) files() ([]string, error) {
	var list []string
	err := filepath.WalkDir(c.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != c.root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "__pycache__") {
			return fs.SkipDir
		}
		if d.Type().IsRegular() && slices.Contains(c.exts, strings.ToLower(filepath.Ext(path))) {
			rel, err := filepath.Rel(c.root, path)
			if err != nil {
				return err
			}
			list = append(list, filepath.ToSlash(rel))
		}
		return nil
	})
	return list, err
}

// sample takes functions, methods and types of random files, one of each file in turn until there are enough.
func (c *comparison) sample(ctx context.Context, n int, seed uint64) ([]string, error) {
	files, err := c.files()
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	rest := map[string][]string{} // by file, what of it was not taken yet
	var names []string
	for taken := -1; len(names) < n && len(names) != taken; {
		taken = len(names)
		for _, path := range files {
			list, asked := rest[path]
			if !asked {
				if list, err = c.declared(ctx, path); err != nil {
					return nil, err
				}
			}
			if len(list) > 0 && len(names) < n {
				i := random.IntN(len(list))
				names = append(names, list[i])
				list = slices.Delete(list, i, i+1)
			}
			if rest[path] = list; len(names) == n {
				break
			}
		}
	}
	return names, nil
}

// identifiers finds what a name is made of.
var identifiers = regexp.MustCompile(`[\p{L}_$][\p{L}\p{N}_$]*`)

// declared lists the places of the functions, methods and types of a file whose names stand in it: servers list functions
// without a name too, such as "map() callback".
func (c *comparison) declared(ctx context.Context, path string) ([]string, error) {
	r, err := c.lc.Symbols(ctx, path)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(path)))
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(text), "\n")
	list := []string{}
	var visit func([]lspclient.Symbol)
	visit = func(in []lspclient.Symbol) {
		for _, s := range in {
			switch s.Kind {
			case "function", "method", "class", "interface", "struct", "enum":
				parts := identifiers.FindAllString(s.Name, -1)
				at := s.Selection
				if len(parts) > 0 && at.Line <= len(lines) && at.Col-1 <= len(lines[at.Line-1]) &&
					identifiers.FindString(lines[at.Line-1][at.Col-1:]) == parts[len(parts)-1] && strings.HasPrefix(lines[at.Line-1][at.Col-1:], parts[len(parts)-1]) {
					list = append(list, fmt.Sprintf("%s:%d:%d", path, at.Line, at.Col))
				}
			}
			visit(s.Children)
		}
	}
	visit(r.Symbols)
	return list, nil
}

// reason is the class of a difference between the references and the occurrences of the word.
type reason string

const (
	inComment   reason = "in a comment or a string"
	another     reason = "another symbol of the name"
	declaration reason = "its own declaration"
	unknown     reason = "the server knows no definition there"
	sameSymbol  reason = "the server defines it as the same symbol"
	noWord      reason = "a reference under another name"
)

// compared is what one name came to.
type compared struct {
	name, word, state string
	at                place
	ours, bare        []place
	differs           string // how ours and bare do
}

func (c *comparison) compare(ctx context.Context, names []string) error {
	var rows []compared
	server := ""
	for _, name := range names { // all before the first is explained, for which files are opened in the bare server
		limited, cancel := context.WithTimeout(ctx, 5*time.Minute)
		row, by, err := c.row(limited, name)
		cancel()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rows, server = append(rows, row), by
	}
	fmt.Println("| name | by name | asked directly | word search | word search differs by |")
	fmt.Println("|---|---|---|---|---|")
	different, total := 0, map[reason]int{}
	for _, r := range rows {
		words, err := c.search(r.word)
		if err != nil {
			return err
		}
		why, err := c.explain(r.at, r.ours, words)
		if err != nil {
			return err
		}
		var parts []string
		for _, k := range []reason{declaration, inComment, another, unknown, sameSymbol, noWord} {
			if len(why[k]) > 0 {
				if total[k] += len(why[k]); k != declaration {
					parts = append(parts, fmt.Sprintf("%d %s", len(why[k]), k))
				}
				if c.show {
					c.print(string(k), why[k])
				}
			}
		}
		if r.differs != "" {
			different++
		}
		fmt.Printf("| `%s` at %s:%d:%d | %d%s | %d%s | %d | %s |\n", r.word, r.at.path, r.at.line, r.at.col, len(r.ours), r.state, len(r.bare), r.differs, len(words), strings.Join(parts, ", "))
	}
	fmt.Printf("\n%s: %d names, %d answers differ from the server's own\n", server, len(names), different)
	for k, n := range total {
		fmt.Printf("%d x %s\n", n, k)
	}
	return nil
}

// row asks for the references of a name in both ways, and says how the answers differ.
func (c *comparison) row(ctx context.Context, name string) (r compared, server string, err error) {
	r.name = name
	answer, err := c.lc.References(ctx, target(name), &lspclient.ReferenceOptions{Limit: -1})
	if err != nil {
		return r, "", err
	}
	r.ours, r.at = inside(answer), place{answer.Target.Path, answer.Target.Line, answer.Target.Col}
	r.word = c.wordAt(answer.Target)
	if answer.State != lspclient.Complete {
		r.state = fmt.Sprintf(" (%s: %s)", answer.State, answer.Reason)
	}
	if r.bare, err = c.settled(r.at, false); err != nil {
		return r, "", fmt.Errorf("asked directly: %w", err)
	}
	if slices.Equal(r.ours, r.bare) {
		return r, answer.Server, nil
	}
	all, err := c.settled(r.at, true)
	if err != nil {
		return r, "", fmt.Errorf("asked directly: %w", err)
	}
	files := map[string]bool{r.at.path: true}
	for _, p := range all {
		files[p.path] = true
	}
	whole, err := c.lc.References(ctx, target(name), &lspclient.ReferenceOptions{Limit: -1, Declaration: true})
	if err != nil {
		return r, "", err
	}
	count := func(list []place, what string, is func(place) bool) []place {
		if n := len(list); n > 0 {
			rest := slices.DeleteFunc(slices.Clone(list), is)
			if n -= len(rest); n > 0 {
				r.differs += fmt.Sprintf(", and %d %s", n, what)
			}
			return rest
		}
		return nil
	}
	more := count(minus(r.ours, r.bare), "that it takes for declarations", func(p place) bool { return slices.Contains(all, p) })
	more = count(more, "in files that it leaves out", func(p place) bool { return !files[p.path] })
	count(more, "NOT EXPLAINED", func(place) bool { return true })
	declarations := inside(whole)
	less := count(minus(r.bare, r.ours), "of these declarations", func(p place) bool { return slices.Contains(declarations, p) })
	count(less, "of these ONLY DIRECTLY", func(place) bool { return true })
	c.print("only by name", minus(r.ours, r.bare))
	c.print("only directly", minus(r.bare, r.ours))
	return r, answer.Server, nil
}

// inside lists the places of an answer that lie below the root.
func inside(r *lspclient.Result) []place {
	var list []place
	for _, l := range r.Locations {
		if !l.Outside() {
			list = append(list, place{l.Path, l.Line, l.Col})
		}
	}
	return list
}

func (c *comparison) print(what string, list []place) {
	for _, p := range list {
		fmt.Fprintf(os.Stderr, "  %s: %s:%d:%d %s\n", what, p.path, p.line, p.col, strings.TrimSpace(string(c.raw.Texts.Line(p.path, p.line))))
	}
}

func minus(a, b []place) []place {
	return slices.DeleteFunc(slices.Clone(a), func(p place) bool { return slices.Contains(b, p) })
}

type location struct {
	URI   string       `json:"uri"`
	Range rawlsp.Range `json:"range"`
	// of a LocationLink
	TargetURI   string       `json:"targetUri"`
	TargetRange rawlsp.Range `json:"targetSelectionRange"`
}

// ask puts a question to the bare server; the places are sorted, each once.
func (c *comparison) ask(method string, at place, more map[string]any) ([]place, error) {
	if err := c.raw.Open(at.path); err != nil {
		return nil, err
	}
	params := c.raw.At(at.path, at.line, at.col)
	for k, v := range more {
		params[k] = v
	}
	var raw json.RawMessage
	if err := c.raw.Call(method, params, &raw); err != nil {
		return nil, err
	}
	var list []location
	if len(raw) > 0 && raw[0] == '{' {
		raw = slices.Concat([]byte("["), raw, []byte("]"))
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	var out []place
	for _, l := range list {
		uri, r := cmp.Or(l.URI, l.TargetURI), l.Range
		if l.URI == "" {
			r = l.TargetRange
		}
		path, ok := rawlsp.Relative(c.root, uri)
		if !ok {
			out = append(out, place{path: uri})
			continue
		}
		out = append(out, place{path, r.Start.Line + 1, c.raw.Texts.Column(path, r.Start.Line+1, r.Start.Character, c.raw.UTF16())})
	}
	slices.SortFunc(out, comparePlaces)
	return slices.Compact(out), nil
}

// settled asks the bare server for references, with the declarations or without, until three answers in a row agree, and
// leaves out what is outside.
func (c *comparison) settled(at place, declarations bool) ([]place, error) {
	var last []place
	for agreed, try := 0, 0; agreed < 2; try++ {
		if err := c.raw.Settle(5 * time.Minute); err != nil {
			return nil, err
		}
		list, err := c.ask("textDocument/references", at, map[string]any{"context": map[string]bool{"includeDeclaration": declarations}})
		if err != nil {
			return nil, err
		}
		if agreed++; try == 0 || !slices.Equal(list, last) {
			agreed = 0
		}
		if last = list; try == 30 {
			return nil, errors.New("its answers do not settle")
		}
		time.Sleep(300 * time.Millisecond)
	}
	return slices.DeleteFunc(last, func(p place) bool { return p.line == 0 }), nil
}

func (c *comparison) wordAt(l lspclient.Location) string {
	line := c.raw.Texts.Line(l.Path, l.Line)
	if l.Col < 1 || l.EndCol < l.Col || l.EndCol-1 > len(line) {
		return ""
	}
	return string(line[l.Col-1 : l.EndCol-1])
}

// search finds the word in the files of the language.
func (c *comparison) search(word string) ([]place, error) {
	files, err := c.files()
	if err != nil || word == "" {
		return nil, err
	}
	re := regexp.MustCompile(regexp.QuoteMeta(word))
	var out []place
	for _, path := range files {
		data, starts := c.raw.Texts.Of(path)
		for _, m := range re.FindAllIndex(data, -1) {
			if m[0] > 0 && isWord(data[m[0]-1]) || m[1] < len(data) && isWord(data[m[1]]) {
				continue
			}
			line, _ := slices.BinarySearch(starts, m[0]+1)
			out = append(out, place{path, line, m[0] - starts[line-1] + 1})
		}
	}
	return out, nil
}

func isWord(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// explain puts every place where references and word search differ into a class.
func (c *comparison) explain(at place, refs, words []place) (map[reason][]place, error) {
	why := map[reason][]place{}
	if list := minus(refs, words); len(list) > 0 {
		why[noWord] = list
	}
	for _, p := range minus(words, refs) {
		k := inComment
		switch {
		case p == at:
			k = declaration
		case !c.quiet(p):
			defs, err := c.ask("textDocument/definition", p, nil)
			switch {
			case err != nil || len(defs) == 0:
				k = unknown
			case slices.Contains(defs, at):
				k = sameSymbol
			default:
				k = another
			}
		}
		why[k] = append(why[k], p)
	}
	return why, nil
}

// quiet reports whether a place is in a comment or a string, as far as a look at the text before it tells.
func (c *comparison) quiet(p place) bool {
	data, starts := c.raw.Texts.Of(p.path)
	at := starts[p.line-1] + p.col - 1
	python := strings.HasPrefix(filepath.Ext(p.path), ".py")
	rust := filepath.Ext(p.path) == ".rs"
	text := string(data)
	for i := 0; i < at; {
		rest := text[i:]
		skip := func(open, close string, escapes bool) bool {
			if !strings.HasPrefix(rest, open) {
				return false
			}
			j := i + len(open)
			for j < len(text) && !strings.HasPrefix(text[j:], close) {
				if escapes && text[j] == '\\' {
					j++
				}
				if len(close) == 1 && close != "`" && text[j:min(j+1, len(text))] == "\n" && !rust {
					break // such a string ends with its line
				}
				j++
			}
			i = min(j+len(close), len(text))
			return true
		}
		switch {
		case python && (skip(`"""`, `"""`, true) || skip(`'''`, `'''`, true) || skip("#", "\n", false)):
		case !python && (skip("//", "\n", false) || skip("/*", "*/", false) || skip("`", "`", true)):
		case skip(`"`, `"`, true):
		case rust && strings.HasPrefix(rest, "'"): // a lifetime or a character
			if strings.HasPrefix(rest, `'\`) || len(rest) > 2 && rest[2] == '\'' {
				skip("'", "'", true)
			} else {
				i++
			}
		case skip("'", "'", true):
		default:
			i++
		}
		if i > at {
			return true
		}
	}
	return false
}
