package mcpstdio

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/leak"
)

// endless gives bytes without a line's end until n are read, then the rest.
type endless struct {
	n    int
	rest io.Reader
	peak uint64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return e.rest.Read(p)
	}
	if e.n%(4<<20) < len(p) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		e.peak = max(e.peak, m.HeapAlloc)
	}
	n := min(len(p), e.n)
	for i := range n {
		p[i] = 'x'
	}
	e.n -= n
	return n, nil
}

func (e *endless) Close() error { return nil }

type bufferCloser struct{ strings.Builder }

func (b *bufferCloser) Close() error { return nil }

func TestLongLine(t *testing.T) {
	leak.Check(t)
	const bound = 1 << 20
	in := &endless{n: 512 << 20, rest: strings.NewReader("\n" + ping)}
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	out := &bufferCloser{}
	if err := server(nil).Run(t.Context(), New(in, out, &Options{MaxLine: bound})); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], "-32600") || !strings.Contains(lines[0], "longer than 1048576 bytes") || !strings.Contains(lines[1], `"ping"`) {
		t.Errorf("answers = %q, want one refusal and one of the ping", lines)
	}
	if more := int64(in.peak) - int64(before.HeapAlloc); more > 32*bound {
		t.Errorf("a line of 512 MB takes %d MB of memory", more>>20)
	}
}

func TestLongestLine(t *testing.T) {
	leak.Check(t)
	s := start(t, &Options{MaxLine: 1000})
	line := `{"jsonrpc":"2.0","id":"ping","method":"ping","params":{"_meta":{"a":""}}}`
	line = strings.Replace(line, `""`, `"`+strings.Repeat("x", 1000-len(line))+`"`, 1)
	s.send(line + "\n")
	if a := s.next(); a.Error != nil {
		t.Errorf("a line of 1000 bytes: %+v", a.Error)
	}
	s.send(" " + line + "\n")
	if a := s.next(); a.code() != -32600 {
		t.Errorf("a line of 1001 bytes: %+v, want -32600", a)
	}
	s.send(strings.Repeat("y", 200_000)) // the answer comes before the line's end
	if a := s.next(); a.code() != -32600 {
		t.Errorf("200,000 bytes of a line: %+v, want -32600", a)
	}
	s.send("\n")
	s.mustPing()
}
