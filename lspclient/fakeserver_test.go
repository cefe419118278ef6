package lspclient

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/source"
)

type fakeServer struct {
	dir, script string
	in          *bufio.Reader
	out         *bufio.Writer
	folder      string
	open        map[string]string // text by path
	asked       int
	asking      jsonrpc.Message // the one that is being answered
}

func (f *fakeServer) run() {
	f.in, f.open = bufio.NewReader(os.Stdin), map[string]string{}
	os.WriteFile(filepath.Join(f.dir, fmt.Sprintf("pid-%d", os.Getpid())), nil, 0o644)
	fmt.Fprintln(os.Stderr, "fake server speaking")
	for {
		m, ok := f.read()
		if !ok {
			return
		}
		if m.Method != "" {
			f.handle(m)
		}
	}
}

func (f *fakeServer) read() (jsonrpc.Message, bool) {
	body, err := jsonrpc.ReadFrame(f.in)
	if err != nil {
		return jsonrpc.Message{}, false
	}
	var m jsonrpc.Message
	if err := json.Unmarshal(body, &m); err != nil {
		panic(err)
	}
	if m.Method != "" {
		log, err := os.OpenFile(filepath.Join(f.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(log, m.Method)
		log.Close()
	}
	return m, true
}

func (f *fakeServer) send(m jsonrpc.Message) {
	out, err := jsonrpc.Encode(m, nil)
	if err != nil {
		panic(err)
	}
	f.out.Write(out.Data)
	f.out.Flush()
}

// count counts the requests of a method over all lives.
func (f *fakeServer) count(method string) int {
	path := filepath.Join(f.dir, "count-"+strings.ReplaceAll(method, "/", "_"))
	data, _ := os.ReadFile(path)
	n, _ := strconv.Atoi(string(data))
	n++
	os.WriteFile(path, []byte(strconv.Itoa(n)), 0o644)
	return n
}

func (f *fakeServer) handle(m jsonrpc.Message) {
	short := m.Method[strings.LastIndexByte(m.Method, '/')+1:]
	n := f.count(m.Method)
	f.asking = m
	reply := jsonrpc.Message{ID: m.ID}
	if m.ID != nil {
		reply.Result = f.answer(m)
	} else {
		f.notified(m)
	}
	for line := range strings.SplitSeq(f.script, "\n") {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != short && words[0] != fmt.Sprintf("%s#%d", short, n) {
			continue
		}
		if !f.act(words[1], strings.Join(words[2:], " "), &reply) {
			return
		}
	}
	if m.ID != nil {
		f.send(reply)
	}
}

// act plays a fault. It reports false when there is nothing more to answer.
func (f *fakeServer) act(action, arg string, reply *jsonrpc.Message) bool {
	switch action {
	case "die": // in the middle of a request
		fmt.Fprintln(os.Stderr, "fake server dying")
		os.Exit(3)
	case "kill": // as from outside
		p, err := os.FindProcess(os.Getpid())
		if err != nil {
			panic(err)
		}
		p.Kill()
		select {}
	case "stop": // as with SIGSTOP
		stopSelf()
	case "silent":
		return false
	case "garbage":
		f.out.WriteString("Traceback (most recent call last):\n")
		f.out.Flush()
	case "nonsense": // a frame that is no JSON
		f.out.Write(jsonrpc.Frame([]byte("{]")))
		f.out.Flush()
	case "huge":
		f.out.WriteString("Content-Length: 2000000000\r\n\r\n")
		f.out.Flush()
	case "late":
		d, err := time.ParseDuration(arg)
		if err != nil {
			panic(err)
		}
		time.Sleep(d)
	case "allocates": // so many MiB, for good
		n, _ := strconv.Atoi(arg)
		takeMemory(n << 20)
	case "holds": // until the test lets go, see letGo
		for {
			if _, err := os.Stat(filepath.Join(f.dir, "go")); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
	case "awaits": // a message of the method, reading what comes before it
		for {
			m, ok := f.read()
			if !ok {
				return false
			}
			if m.Method == arg {
				return true
			}
			f.notified(m)
		}
	case "works": // for so many milliseconds, and reads nothing meanwhile
		n, _ := strconv.Atoi(arg)
		for until := time.Now().Add(time.Duration(n) * time.Millisecond); time.Now().Before(until); {
		}
	case "twice":
		f.send(*reply)
	case "flood": // notifications of 1 KB
		n, _ := strconv.Atoi(arg)
		params, _ := json.Marshal(map[string]any{"type": 4, "message": strings.Repeat("x", 1000)})
		for range n {
			f.send(jsonrpc.Message{Method: "window/logMessage", Params: params})
		}
	case "asks": // the client something, and keep what it says
		method, params, _ := strings.Cut(arg, " ")
		f.asked++
		f.send(jsonrpc.Message{ID: json.RawMessage(strconv.Itoa(9000 + f.asked)), Method: method, Params: json.RawMessage(params)})
		for {
			m, ok := f.read()
			if !ok {
				return false
			}
			if m.Method == "" {
				said, _ := json.Marshal(m)
				os.WriteFile(filepath.Join(f.dir, fmt.Sprintf("said-%d", f.asked)), said, 0o644)
				return true
			}
			f.notified(m)
		}
	case "notes": // what it was given, a line each
		notes, err := os.OpenFile(filepath.Join(f.dir, "notes"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(notes, "%s\n", strings.ReplaceAll(string(f.asking.Params), source.FileURI(f.folder), "ROOT"))
		notes.Close()
	case "error":
		code, text, _ := strings.Cut(arg, " ")
		n, _ := strconv.Atoi(code)
		reply.Result, reply.Error = nil, &jsonrpc.ResponseError{Code: n, Message: text}
	case "tells": // a notification; ROOT as in says
		method, params, _ := strings.Cut(strings.ReplaceAll(arg, "ROOT", source.FileURI(f.folder)), " ")
		f.send(jsonrpc.Message{Method: method, Params: json.RawMessage(params)})
	case "says": // this instead of the true answer; ROOT is the folder's URI
		reply.Result = json.RawMessage(strings.ReplaceAll(arg, "ROOT", source.FileURI(f.folder)))
	case "full": // a hundred other symbols, as a server answers that gives no more
		var list []any
		for i := range 100 {
			list = append(list, map[string]any{"name": fmt.Sprintf("other%d", i), "kind": 12, "location": fakePlace{URI: source.FileURI(filepath.Join(f.folder, "a.fk"))}})
		}
		reply.Result, _ = json.Marshal(list)
	case "child": // leaves a process that holds the pipes
		cmd := exec.Command("sleep", "600")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		os.WriteFile(filepath.Join(f.dir, fmt.Sprintf("pid-%d", cmd.Process.Pid)), nil, 0o644)
	case "exit":
		os.Exit(0)
	case "dieif": // the document of the request, or the one just shown, holds the text
		var p struct{ TextDocument struct{ URI, Text string } }
		json.Unmarshal(f.asking.Params, &p)
		path, _ := source.PathOf(p.TextDocument.URI)
		if strings.Contains(f.text(path), arg) {
			fmt.Fprintln(os.Stderr, "fake server dying of", arg)
			os.Exit(3)
		}
	case "raw": // these bytes, with the escapes of a Go string
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`)
		if err != nil {
			panic(err)
		}
		f.out.WriteString(strings.ReplaceAll(text, "ID", string(reply.ID)))
		f.out.Flush()
	case "sends": // a message with this body, with the escapes of a Go string
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`)
		if err != nil {
			panic(err)
		}
		f.out.Write(jsonrpc.Frame([]byte(text)))
		f.out.Flush()
	case "form": // the answer as this JSON, in which ID and RESULT stand for what they are
		body := strings.NewReplacer("ID", string(reply.ID), "RESULT", string(reply.Result)).Replace(arg)
		f.out.Write(jsonrpc.Frame([]byte(body)))
		f.out.Flush()
		return false
	case "framed": // the answer behind this header, in which LENGTH stands for its length
		header, err := strconv.Unquote(`"` + arg + `"`)
		if err != nil {
			panic(err)
		}
		body, _ := json.Marshal(*reply)
		f.out.WriteString(strings.ReplaceAll(header, "LENGTH", strconv.Itoa(len(body))) + string(body))
		f.out.Flush()
		return false
	case "bytewise": // the answer in writes of one byte
		out, _ := jsonrpc.Encode(*reply, nil)
		for i := range out.Data {
			f.out.Write(out.Data[i : i+1])
			f.out.Flush()
		}
		return false
	case "half": // of the answer, and no more
		out, _ := jsonrpc.Encode(*reply, nil)
		f.out.Write(out.Data[:len(out.Data)/2])
		f.out.Flush()
		if arg == "stop" {
			stopSelf()
		}
		select {}
	case "shout": // so many KiB to stderr
		n, _ := strconv.Atoi(arg)
		for range n {
			fmt.Fprintln(os.Stderr, strings.Repeat("x", 1023))
		}
	case "tokens": // pieces of work that begin and end
		n, _ := strconv.Atoi(arg)
		for i := range n {
			for _, kind := range []string{"begin", "end"} {
				f.send(jsonrpc.Message{Method: "$/progress", Params: json.RawMessage(fmt.Sprintf(`{"token":"t%d","value":{"kind":%q,"title":"w"}}`, i, kind))})
			}
		}
	case "nags": // asks so many times and reads no answer
		n, _ := strconv.Atoi(arg)
		for i := range n {
			f.send(jsonrpc.Message{ID: json.RawMessage(strconv.Itoa(i + 1)), Method: "workspace/configuration", Params: json.RawMessage(`{"items":[{"section":""}]}`)})
		}
	case "closes": // one of its streams, and lives on
		if arg == "stdin" {
			os.Stdin.Close()
		} else {
			os.Stdout.Close()
		}
		select {}
	case "network": // writes down which one it has
		at, _ := os.Readlink("/proc/self/ns/net")
		os.WriteFile(filepath.Join(f.dir, "network"), []byte(at), 0o644)
	case "daemon": // leaves a process in a session of its own
		f.daemon()
	default:
		panic("unknown action " + action)
	}
	return true
}

func (f *fakeServer) notified(m jsonrpc.Message) {
	var p struct {
		TextDocument   struct{ URI, Text string }
		ContentChanges []struct{ Text string }
	}
	json.Unmarshal(m.Params, &p)
	path, _ := source.PathOf(p.TextDocument.URI)
	switch m.Method {
	case "textDocument/didOpen":
		f.open[path] = p.TextDocument.Text
	case "textDocument/didChange":
		f.open[path] = p.ContentChanges[0].Text
	case "textDocument/didClose":
		delete(f.open, path)
	case "exit":
		os.Exit(0)
	}
}

func (f *fakeServer) answer(m jsonrpc.Message) json.RawMessage {
	var p struct {
		RootURI      string
		Query        string
		TextDocument struct{ URI string }
		Position     struct{ Line, Character uint32 }
		Context      struct{ IncludeDeclaration bool }
	}
	if err := json.Unmarshal(m.Params, &p); err != nil && m.Params != nil {
		panic(err)
	}
	var result any
	switch m.Method {
	case "initialize":
		f.folder, _ = source.PathOf(p.RootURI)
		caps := map[string]any{
			"textDocumentSync": 1, "definitionProvider": true, "referencesProvider": true,
			"documentSymbolProvider": true, "workspaceSymbolProvider": true,
		}
		if strings.Contains(f.script, "nosymbols") {
			delete(caps, "workspaceSymbolProvider")
		}
		for line := range strings.SplitSeq(f.script, "\n") {
			if enc, ok := strings.CutPrefix(line, "encoding "); ok {
				caps["positionEncoding"] = enc
			}
			if offer, ok := strings.CutPrefix(line, "capability "); ok { // NAME, or NAME and its options
				name, options, ok := strings.Cut(offer, " ")
				if caps[name] = true; ok {
					caps[name] = json.RawMessage(options)
				}
			}
		}
		result = map[string]any{"capabilities": caps, "serverInfo": map[string]string{"name": "fake", "version": f.version()}}
	case "textDocument/definition", "textDocument/references":
		path, _ := source.PathOf(p.TextDocument.URI)
		text := source.NewText([]byte(f.text(path)))
		line := int(p.Position.Line) + 1
		col, _ := text.Col(line, p.Position.Character, f.encoding())
		start, end, _, ok := text.IdentAt(line, col)
		if !ok {
			break
		}
		row, _ := text.Line(line)
		defs := m.Method == "textDocument/definition"
		if f.says("foreign", path) {
			break
		}
		list := f.occurrences(string(row[start-1:end-1]), func(def bool) bool { return def == defs || def && p.Context.IncludeDeclaration })
		if !defs {
			list = slices.DeleteFunc(list, func(at fakePlace) bool {
				path, _ := source.PathOf(at.URI)
				_, open := f.open[path]
				return f.says("omits", path) || f.says("foreign", path) || f.says("closed", path) && !open
			})
		}
		result = list
	case "textDocument/documentHighlight":
		if path, _ := source.PathOf(p.TextDocument.URI); !f.says("foreign", path) {
			result = []any{map[string]any{"range": fakePlace{}.Range}}
		}
	case "workspace/symbol":
		list := []any{}
		for _, loc := range f.occurrences("", func(def bool) bool { return def }) {
			if strings.Contains(strings.ToLower(loc.name), strings.ToLower(p.Query)) {
				list = append(list, map[string]any{"name": loc.name + "()", "kind": 12, "location": loc})
			}
		}
		result = list
	case "textDocument/documentSymbol":
		list := []any{}
		for _, loc := range f.occurrences("", func(def bool) bool { return def }) {
			if loc.URI == p.TextDocument.URI {
				list = append(list, map[string]any{"name": loc.name, "kind": 12, "range": loc.Range, "selectionRange": loc.Range})
			}
		}
		result = list
	}
	raw, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	return raw
}

// says reports whether a line of the script names the folder of a file behind the word: "omits" when references there are
// not listed, "closed" when they are listed only while the file is open, "foreign" when nothing in it is known.
func (f *fakeServer) says(word, path string) bool {
	rel, err := filepath.Rel(f.folder, path)
	return err == nil && slices.Contains(strings.Split(f.script, "\n"), word+" "+filepath.ToSlash(filepath.Dir(rel)))
}

// version is what the test has written into the file of that name, "9" at first.
func (f *fakeServer) version() string {
	if data, err := os.ReadFile(filepath.Join(f.dir, "version")); err == nil {
		return string(data)
	}
	return "9"
}

func (f *fakeServer) encoding() source.Encoding {
	for line := range strings.SplitSeq(f.script, "\n") {
		if enc, ok := strings.CutPrefix(line, "encoding "); ok {
			return source.Encoding(enc)
		}
	}
	return source.UTF16
}

func (f *fakeServer) text(path string) string {
	if text, ok := f.open[path]; ok {
		return text
	}
	data, _ := os.ReadFile(path)
	return string(data)
}

type fakePlace struct {
	URI   string `json:"uri"`
	Range struct {
		Start fakePosition `json:"start"`
		End   fakePosition `json:"end"`
	} `json:"range"`
	name string
}

type fakePosition struct {
	Line      int    `json:"line"`
	Character uint32 `json:"character"`
}

// occurrences lists the places of a name, or of all names, in all files, declarations or not.
func (f *fakeServer) occurrences(name string, want func(def bool) bool) []fakePlace {
	var files []string
	filepath.WalkDir(f.folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".fk") {
			files = append(files, path)
		}
		return nil
	})
	for path := range f.open { // also what is not on disk
		files = append(files, path)
	}
	slices.Sort(files)
	files = slices.Compact(files)
	list := []fakePlace{}
	for _, path := range files {
		text := source.NewText([]byte(f.text(path)))
		for n := 1; n <= len(text.Starts); n++ {
			row, _ := text.Line(n)
			last := ""
			for at := 0; ; {
				s, e := source.NextIdent(row, at)
				if s < 0 {
					break
				}
				word := string(row[s:e])
				if word != "def" && word != "use" && (name == "" || word == name) && want(last == "def") {
					p := fakePlace{URI: source.FileURI(path), name: word}
					p.Range.Start.Line, p.Range.End.Line = n-1, n-1
					p.Range.Start.Character, _ = text.Units(n, s+1, f.encoding())
					p.Range.End.Character, _ = text.Units(n, e+1, f.encoding())
					list = append(list, p)
				}
				last, at = word, e
			}
		}
	}
	return list
}
