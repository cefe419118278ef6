package lspclient

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// echoAnswer is a file in the folder of a fake server: what it answers to every question, at once and unread. It offers no
// definitions, so that a call for references is one request and not two. With it the
// server is nothing but frames, so that what a call costs is the client's own.
const echoAnswer = "echo.json"

// echo answers until its stdin ends. It reports false when there is no file of answers.
func echo(dir string) bool {
	answer, err := os.ReadFile(filepath.Join(dir, echoAnswer))
	if err != nil {
		return false
	}
	in, out := bufio.NewReaderSize(os.Stdin, 64<<10), bufio.NewWriterSize(os.Stdout, 64<<10)
	for {
		body, err := jsonrpc.ReadFrame(in)
		if err != nil {
			return true
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(body, &m) != nil || m.Method == "exit" {
			return true
		}
		if len(m.ID) == 0 {
			continue
		}
		result := answer
		switch m.Method {
		case "initialize":
			result = []byte(`{"capabilities":{"textDocumentSync":1,"definitionProvider":true,"referencesProvider":true,"documentSymbolProvider":true,"positionEncoding":"utf-16"}}`)
		case "shutdown", "textDocument/definition": // which comes with every question for references
			result = []byte("null")
		}
		out.WriteString("Content-Length: " + fmt.Sprint(len(result)+len(m.ID)+len(`{"jsonrpc":"2.0","id":,"result":}`)) + "\r\n\r\n")
		out.WriteString(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":`)
		out.Write(result)
		out.WriteString("}")
		out.Flush()
	}
}

// echoPair starts an echo server behind a client and another one behind bare pipes. The root has n files of 200 lines
// besides a.fk; the answer is places locations, spread over files of them.
func echoPair(b *testing.B, n, places, files int, o *Options) (c *Client, raw func()) {
	b.Helper()
	root, dir := b.TempDir(), b.TempDir()
	text := strings.Repeat("use alpha beta gamma delta epsilon\n", 200)
	write := func(name, text string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write("a.fk", "def alpha\nuse alpha\n")
	name := func(i int) string { return fmt.Sprintf("d%03d/f%03d.fk", i/10, i) }
	for i := range max(n, files) {
		write(name(i), text)
	}
	list := make([]fakePlace, places)
	for i := range list {
		list[i].URI = source.FileURI(filepath.Join(root, name(i%files)))
		line := i / files
		list[i].Range.Start = fakePosition{line % 200, uint32(4 + line/200%10)}
		list[i].Range.End = fakePosition{line % 200, uint32(9 + line/200%10)}
	}
	answer, err := json.Marshal(list)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, echoAnswer), answer, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
	spec := ServerSpec{
		Name: "fakels", Languages: map[string][]string{"fake": {".fk"}}, Install: "build the tests",
		Commands: []serverspec.Command{{Program: "fakels", Args: []string{"serve"}}}, Env: []string{fakeDir + "=" + dir},
	}
	if o == nil {
		o = &Options{}
	}
	o.Servers = []ServerSpec{spec}
	if c, err = Open(b.Context(), root, o); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })

	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), fakeDir+"="+dir)
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		b.Fatal(err1, err2)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { stdin.Close(); cmd.Wait() })
	in := bufio.NewReaderSize(stdout, 64<<10)
	id := 0
	raw = func() {
		id++
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/references","params":{"textDocument":{"uri":"file:///a.fk"},"position":{"line":0,"character":4},"context":{"includeDeclaration":false}}}`, id)
		if _, err := stdin.Write(jsonrpc.Frame([]byte(body))); err != nil {
			b.Fatal(err)
		}
		if _, err := jsonrpc.ReadFrame(in); err != nil {
			b.Fatal(err)
		}
	}
	return c, raw
}

// interleave times one after the other, over and over, and reports the medians and 99th percentiles in microseconds: of
// what the first costs more than the second, and of the second alone, which is the machine's noise.
func interleave(b *testing.B, one, other func()) {
	for began, i := time.Now(), 0; i < 50 && time.Since(began) < 2*time.Second; i++ {
		one() // the first ones start the server, and fill what is kept
		other()
	}
	var diffs, alone []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		t0 := time.Now()
		other()
		t1 := time.Now()
		one()
		t2 := time.Now()
		alone = append(alone, t1.Sub(t0))
		diffs = append(diffs, t2.Sub(t1)-t1.Sub(t0))
	}
	report := func(list []time.Duration, name string) {
		slices.Sort(list)
		for p, q := range map[string]int{"p50": len(list) / 2, "p99": len(list) * 99 / 100} {
			b.ReportMetric(float64(list[min(q, len(list)-1)].Nanoseconds())/1000, name+"-"+p+"-µs")
		}
	}
	report(diffs, "over")
	report(alone, "raw")
}

// BenchmarkOverhead: what a call costs more than the same frames on bare pipes to the same kind of server, in one run.
func BenchmarkOverhead(b *testing.B) {
	for _, files := range []int{10, 1_000} {
		b.Run(fmt.Sprintf("files=%d", files), func(b *testing.B) {
			c, raw := echoPair(b, files, 3, 1, nil)
			interleave(b, func() {
				if r, err := c.References(b.Context(), At("a.fk", 1, 5), nil); err != nil || r.Total != 3 {
					b.Fatal(r, err)
				}
			}, raw)
		})
	}
}

// BenchmarkLocations: answers of many places. What it costs more than the raw frames is decoding, reading the files and
// converting columns.
func BenchmarkLocations(b *testing.B) {
	for _, size := range []struct{ places, files int }{{1_000, 1}, {1_000, 50}, {1_000, 500}, {100_000, 500}} {
		b.Run(fmt.Sprintf("places=%d/files=%d", size.places, size.files), func(b *testing.B) {
			c, raw := echoPair(b, size.files, size.places, size.files, nil)
			interleave(b, func() {
				r, err := c.References(b.Context(), At("a.fk", 1, 5), &ReferenceOptions{Limit: size.places})
				if err != nil || r.Total == 0 || r.State != Complete {
					b.Fatal(r, err)
				}
			}, raw)
		})
	}
}
