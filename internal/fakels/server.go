package fakels

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

type server struct {
	ext, fault string
	in         *bufio.Reader
	root       string
	open       map[string]string // text by path
}

type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

// word is a place of a word.
type word struct {
	name     string
	path     string
	at       span
	declares bool
	indent   int
	inside   string // the declaration around it, "" for none
	around   span   // that declaration's name
}

func (s *server) run() {
	s.in, s.open = bufio.NewReader(os.Stdin), map[string]string{}
	for {
		m, err := s.read()
		if err != nil {
			return
		}
		s.handle(m)
	}
}

func (s *server) read() (m message, err error) {
	size := 0
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			return m, err
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		if _, err := fmt.Sscanf(line, "Content-Length: %d", &size); err != nil {
			continue // another header
		}
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(s.in, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

func (s *server) send(m message) {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	fmt.Printf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

func (s *server) notify(method string, params any) {
	raw, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	s.send(message{Method: method, Params: raw})
}

func (s *server) progress(token, kind, title string) {
	s.notify("$/progress", map[string]any{"token": token, "value": map[string]any{"kind": kind, "title": title, "percentage": 40, "message": "main"}})
}

func (s *server) handle(m message) {
	var p struct {
		RootURI        string
		Query, NewName string
		TextDocument   struct{ URI, Text string }
		ContentChanges []struct{ Text string }
		Position       position
		Context        struct{ IncludeDeclaration bool }
		Item           struct {
			URI            string
			SelectionRange span
		}
	}
	if len(m.Params) > 0 {
		if err := json.Unmarshal(m.Params, &p); err != nil {
			panic(err)
		}
	}
	path := pathOf(p.TextDocument.URI)
	var result any
	switch m.Method {
	case "initialize":
		s.root = pathOf(p.RootURI)
		caps := map[string]any{"positionEncoding": "utf-8", "textDocumentSync": 1, "definitionProvider": true, "typeDefinitionProvider": true, "implementationProvider": true,
			"referencesProvider": true, "documentSymbolProvider": true, "workspaceSymbolProvider": true, "hoverProvider": true, "renameProvider": true}
		if s.fault != NoCalls {
			caps["callHierarchyProvider"] = true
		}
		result = map[string]any{"capabilities": caps, "serverInfo": map[string]string{"name": "fakels", "version": "1.2.3"}}
	case "initialized":
		s.progress("load", "begin", "Indexing")
		if s.fault == Degraded {
			s.progress("bad", "begin", "Problem: the workspace does not load")
		}
		if s.fault != Indexing {
			s.progress("load", "end", "")
		}
	case "exit":
		os.Exit(0)
	case "textDocument/didOpen":
		s.open[path] = p.TextDocument.Text
		s.diagnose(path)
	case "textDocument/didChange":
		s.open[path] = p.ContentChanges[0].Text
		s.diagnose(path)
	case "textDocument/didClose":
		delete(s.open, path)
	case "textDocument/definition", "textDocument/typeDefinition", "textDocument/implementation":
		here := s.placeAt(path, p.Position)
		result = s.locations(here.name, func(w word) bool { return w.declares && (!here.declares || w.path == path && w.at == here.at) })
	case "textDocument/references":
		switch s.fault {
		case Hang:
			return
		case Crash:
			fmt.Fprintln(os.Stderr, "fakels: out of luck")
			os.Exit(3)
		}
		result = s.locations(s.at(path, p.Position), func(w word) bool {
			return s.fault != Blind && (!w.declares || p.Context.IncludeDeclaration) && (s.fault != Indexing || w.path == path)
		})
	case "textDocument/documentSymbol", "workspace/symbol":
		list := []any{}
		for _, w := range s.words("") {
			if w.declares && (w.path == path || path == "" && strings.Contains(strings.ToLower(w.name), strings.ToLower(p.Query))) {
				list = append(list, map[string]any{"name": w.name, "kind": 12, "containerName": w.inside, "location": location{uriOf(w.path), w.at}})
			}
		}
		result = list
	case "textDocument/hover":
		if name := s.at(path, p.Position); name != "" {
			result = map[string]any{"contents": map[string]string{"kind": "plaintext", "value": "word " + name}}
		}
	case "textDocument/prepareCallHierarchy":
		list := []any{}
		for _, w := range s.words(s.at(path, p.Position)) {
			if w.declares {
				list = append(list, item(w.name, w.path, w.at))
			}
		}
		result = list
	case "callHierarchy/incomingCalls":
		if s.fault == Hang {
			return
		}
		list := []any{}
		for _, w := range s.words(s.at(pathOf(p.Item.URI), p.Item.SelectionRange.Start)) {
			if !w.declares && w.inside != "" && (s.fault != Indexing || w.path == pathOf(p.Item.URI)) && s.fault != Blind {
				list = append(list, map[string]any{"from": item(w.inside, w.path, w.around), "fromRanges": []span{w.at}})
			}
		}
		result = list
	case "callHierarchy/outgoingCalls":
		list := []any{}
		name := s.at(pathOf(p.Item.URI), p.Item.SelectionRange.Start)
		words, declared := s.words(""), map[string][]word{}
		for _, w := range words {
			if w.declares {
				declared[w.name] = append(declared[w.name], w)
			}
		}
		for _, w := range words {
			if w.declares || w.inside != name {
				continue
			}
			for _, d := range declared[w.name] {
				list = append(list, map[string]any{"to": item(d.name, d.path, d.at), "fromRanges": []span{w.at}})
			}
		}
		result = list
	case "textDocument/rename":
		changes := map[string][]any{}
		for _, w := range s.words(s.at(path, p.Position)) {
			changes[uriOf(w.path)] = append(changes[uriOf(w.path)], map[string]any{"range": w.at, "newText": p.NewName})
		}
		result = map[string]any{"changes": changes}
	}
	if m.ID != nil && m.Method != "" {
		if result == nil {
			result = json.RawMessage("null")
		}
		s.send(message{ID: m.ID, Result: result})
	}
}

func item(name, path string, at span) map[string]any {
	return map[string]any{"name": name, "kind": 12, "uri": uriOf(path), "range": at, "selectionRange": at}
}

// diagnose publishes an error for each BROKEN in a file.
func (s *server) diagnose(path string) {
	list := []any{}
	for _, w := range s.wordsOf(path) {
		if w.name == "BROKEN" {
			list = append(list, map[string]any{"range": w.at, "severity": 1, "code": "E1", "source": "fakels", "message": "this is broken"})
		}
	}
	s.notify("textDocument/publishDiagnostics", map[string]any{"uri": uriOf(path), "diagnostics": list})
}

// at gives the word at a place, "" for none.
func (s *server) at(path string, p position) string { return s.placeAt(path, p).name }

func (s *server) placeAt(path string, p position) word {
	for _, w := range s.wordsOf(path) {
		if w.at.Start.Line == p.Line && w.at.Start.Character <= p.Character && p.Character <= w.at.End.Character {
			return w
		}
	}
	return word{}
}

func (s *server) locations(name string, want func(word) bool) []location {
	out := []location{}
	if name == "" {
		return out
	}
	for _, w := range s.words(name) {
		if want(w) {
			out = append(out, location{uriOf(w.path), w.at})
		}
	}
	return out
}

// words lists the places of a word in all files, or of all words.
func (s *server) words(name string) []word {
	files := map[string]bool{}
	err := filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, s.ext) {
			files[path] = true
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	for path := range s.open {
		files[path] = true
	}
	var paths, out = []string{}, []word{}
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		for _, w := range s.wordsOf(path) {
			if name == "" || w.name == name {
				out = append(out, w)
			}
		}
	}
	return out
}

var wordPattern = regexp.MustCompile(`(?:\b(def|class|func|function)\s+)?\b([\pL_][\pL\pN_]*)`)

func (s *server) wordsOf(path string) []word {
	text, ok := s.open[path]
	if !ok {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		text = string(data)
	}
	var out, scopes []word
	for n, line := range strings.Split(text, "\n") {
		for _, mark := range []string{"#", "//"} {
			line, _, _ = strings.Cut(line, mark)
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if strings.TrimSpace(line) == "" || strings.TrimSpace(line) == "}" {
			continue
		}
		for len(scopes) > 0 && indent <= scopes[len(scopes)-1].indent {
			scopes = scopes[:len(scopes)-1]
		}
		for _, m := range wordPattern.FindAllStringSubmatchIndex(line, -1) {
			w := word{name: line[m[4]:m[5]], path: path, at: span{position{n, m[4]}, position{n, m[5]}}, declares: m[2] >= 0, indent: indent}
			if len(scopes) > 0 {
				w.inside, w.around = scopes[len(scopes)-1].name, scopes[len(scopes)-1].at
			}
			out = append(out, w)
			if w.declares {
				scopes = append(scopes, w)
			}
		}
	}
	return out
}

func uriOf(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	return filepath.FromSlash(u.Path)
}
