package mcpstdio

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/leak"
)

// TestNobodyReads sends calls and notifications to a server whose output is not read: it must stop to read, not collect.
func TestNobodyReads(t *testing.T) {
	leak.Check(t) // of all together: they run at the same time, since each waits for seconds
	for name, line := range map[string]string{
		"calls":            `{"jsonrpc":"2.0","id":"%d","method":"ping"}`,
		"notifications":    `{"jsonrpc":"2.0","id":"%[1]d","method":"no/such"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":{"a":%[1]d}}}`,
		"malformed lines":  `{"foo":%d}`,
		"large calls":      `{"jsonrpc":"2.0","id":"%d","method":"tools/call","params":{"name":"slow","arguments":{"a":"` + strings.Repeat("x", 4<<20) + `"}}}`,
		"what lasts":       `{"jsonrpc":"2.0","id":"%d","method":"tools/call","params":{"name":"slow"}}`,
		"first initialize": strings.Split(fmt.Sprintf(hello, "2025-11-25"), "\n")[0] + "\n" + `{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"_meta":{"a":%d}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, to := io.Pipe()
			from, out := io.Pipe()
			defer from.Close()
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- server(make(chan struct{})).Run(ctx, New(in, out, nil)) }()
			if strings.Contains(line, "tools/call") {
				go io.WriteString(to, fmt.Sprintf(hello, "2025-11-25"))
				if _, err := bufio.NewReader(from).ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			sent := make(chan int, 1)
			moved := make(chan struct{}, 1)
			go func() {
				for i := 0; ; i++ {
					if _, err := fmt.Fprintf(to, line+"\n", i); err != nil {
						sent <- i
						return
					}
					select {
					case moved <- struct{}{}:
					default:
					}
				}
			}()
			for quiet := false; !quiet; { // until it takes no more
				select {
				case <-moved:
				case <-time.After(time.Second):
					quiet = true
				}
			}
			stop() // must end it all the same
			select {
			case err := <-done:
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("Run = %v", err)
				}
			case <-time.After(patient):
				t.Fatal("the session goes on")
			}
			if n := <-sent; n > 3*maxCalls {
				t.Errorf("%d messages were taken, want at most %d", n, 3*maxCalls)
			} else {
				t.Logf("%d messages were taken", n)
			}
		})
	}
}

func TestListening(t *testing.T) {
	leak.Check(t)
	s := start(t, nil)
	s.send(ping)
	s.next()
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	busy := 0
	go func() {
		for i := range 400 {
			fmt.Fprintf(s.to, `{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{%s,"notifications":{"toolsListChanged":true}}}`+"\n", i, meta)
		}
		io.WriteString(s.to, ping)
	}()
	for {
		a := s.next()
		if string(a.ID) == `"ping"` {
			break
		}
		if a.code() == codeBusy {
			busy++
		}
	}
	if busy != 400-maxListens {
		t.Errorf("%d of 400 calls that listen were refused, want all but %d", busy, maxListens)
	}
	s.to.Close()
	if err := s.ended(); err != nil {
		t.Errorf("Run = %v", err)
	}
}

func TestEnd(t *testing.T) {
	const slow = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow"}}` + "\n"
	t.Run("of input waits for calls", func(t *testing.T) {
		leak.Check(t)
		s := start(t, nil)
		s.begin("2025-11-25")
		s.send(slow)
		s.to.Close()
		s.free()
		if a := s.next(); string(a.ID) != "7" || a.Error != nil {
			t.Errorf("the call under way: %s %+v", a.ID, a.Error)
		}
		if err := s.ended(); err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	t.Run("of input waits no longer than the grace", func(t *testing.T) {
		leak.Check(t)
		s := start(t, &Options{Grace: 50 * time.Millisecond})
		s.begin("2025-11-25")
		s.send(slow)
		s.to.Close()
		if err := s.ended(); err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	t.Run("within a message", func(t *testing.T) {
		leak.Check(t)
		s := start(t, nil)
		s.begin("2025-11-25")
		s.send(ping + ping[:20])
		s.to.Close()
		one, other := s.next(), s.next() // in any order
		if one.code()+other.code() != -32700 {
			t.Errorf("a ping and part of a message: %+v %+v, want an answer and -32700", one, other)
		}
		if err := s.ended(); err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	t.Run("of the output", func(t *testing.T) {
		leak.Check(t)
		in, to := io.Pipe()
		defer to.Close()
		from, out := io.Pipe()
		from.Close()
		done := make(chan error, 1)
		go func() { done <- server(nil).Run(t.Context(), New(in, out, nil)) }()
		go io.WriteString(to, strings.Repeat(ping, 3))
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("Run = %v", err)
			}
		case <-time.After(patient):
			t.Fatal("the session goes on")
		}
	})
	t.Run("of files", func(t *testing.T) {
		leak.Check(t)
		leak.Files(t)
		in, to, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		from, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- server(nil).Run(t.Context(), New(in, out, nil)) }()
		if _, err := io.WriteString(to, "\x00\n"+ping); err != nil {
			t.Fatal(err)
		}
		to.Close()
		text, err := io.ReadAll(from)
		if err != nil || strings.Count(string(text), "\n") != 2 {
			t.Errorf("output = %q, %v, want two lines", text, err)
		}
		from.Close()
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	t.Run("by an error of the input", func(t *testing.T) {
		dir, err := os.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := server(nil).Run(t.Context(), New(dir, &bufferCloser{}, nil)); err == nil || !strings.Contains(err.Error(), "input of the MCP session") {
			t.Errorf("Run over a folder = %v, want an error", err)
		}
	})
}

func TestLongErrorsAreCut(t *testing.T) {
	s := start(t, nil)
	s.begin("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["` + strings.Repeat("é", 1<<20) + `"]}}` + "\n")
	if a := s.next(); a.code() != -32602 || len(a.Error.Message) > maxErrorText+10 {
		t.Errorf("code %d with %d bytes, want -32602 with at most %d", a.code(), len(a.Error.Message), maxErrorText)
	}
}
