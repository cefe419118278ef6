package mcpstdio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// pieces gives a text in pieces whose lengths go around in sizes.
type pieces struct {
	text, sizes []byte
	n           int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	size := len(p.text)
	if len(p.sizes) > 0 {
		size = int(p.sizes[p.n%len(p.sizes)])%64 + 1
		p.n++
	}
	n := copy(b[:min(size, len(b))], p.text)
	p.text = p.text[n:]
	return n, nil
}

func (p *pieces) Close() error { return nil }

// FuzzLines sends any bytes in any pieces: each line that is not blank is answered or passed on, once; the SDK's reader never gets
// an error before the end of input; and a server of the SDK answers a ping after them.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		"", "\n\n", "{", "{}", "[]", "[1]", "42\n\"x\"\nnull", bom + ping, "\x00\xff\n" + ping, ping + "\r\n" + ping,
		fmt.Sprintf(hello, "2025-03-26") + `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		fmt.Sprintf(hello, "2025-11-25") + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fast","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, strings.Repeat("[", 600), strings.Repeat("x", 3000) + "\n{}",
		`{"jsonrpc":"2.0","id":9,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
	} {
		f.Add([]byte(seed), []byte{3, 1, 60})
	}
	f.Fuzz(func(t *testing.T, text, sizes []byte) {
		var log strings.Builder
		o := (&Options{MaxLine: 2000, Grace: 5 * time.Second, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))}).withDefaults()
		want := 0
		for line := range bytes.Lines(bytes.TrimPrefix(text, []byte(bom))) {
			if len(bytes.Trim(line, blanks)) > 0 {
				want++
			} else if len(bytes.TrimSuffix(line, []byte("\n"))) > o.MaxLine {
				want++ // too long, be it blank
			}
		}
		out := &bufferCloser{}
		c := connect(t.Context(), &pieces{text: text, sizes: sizes}, out, o)
		passed, calls := 0, 0
		for {
			msg, err := c.Read(t.Context())
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("Read = %v", err)
			}
			passed++
			if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
				calls++
				if err := c.Write(t.Context(), &jsonrpc.Response{ID: req.ID, Result: json.RawMessage("{}")}); err != nil {
					t.Fatalf("Write = %v", err)
				}
			}
		}
		c.Close()
		lines := strings.SplitAfter(out.String(), "\n")
		if lines[len(lines)-1] != "" {
			t.Errorf("the output ends within a line: %q", out)
		}
		lines = lines[:len(lines)-1]
		for _, l := range lines {
			if !json.Valid([]byte(l)) {
				t.Errorf("an answer is no JSON: %q", l)
			}
		}
		if got := passed + len(lines) - calls + c.noted; got != want {
			t.Errorf("%d lines: %d passed on, %d answers, %d of them to what was passed on, %d noted: %q", want, passed, len(lines), calls, c.noted, out)
		}

		const last = "FuzzLines's own"
		if bytes.Contains(text, []byte("FuzzL")) {
			return
		}
		out = &bufferCloser{}
		input := append(bytes.Clone(text), "\n"+`{"jsonrpc":"2.0","id":"`+last+`","method":"ping"}`...)
		slow := make(chan struct{})
		close(slow)
		if err := server(slow).Run(context.Background(), New(&pieces{text: input, sizes: sizes}, out, &o)); err != nil {
			t.Errorf("Run = %v", err)
		}
		if !strings.Contains(out.String(), `"`+last+`"`) {
			t.Errorf("the ping after it was not answered: %q", out)
		}
		if strings.Contains(log.String(), "dropped") {
			t.Errorf("a call was never answered: %q\n%s", out, &log)
		}
	})
}
