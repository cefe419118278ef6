package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/errs"
)

func TestReadFrame(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want string
		err  error
	}{
		"plain":           {"Content-Length: 2\r\n\r\n{}", "{}", nil},
		"empty":           {"Content-Length: 0\r\n\r\n", "", nil},
		"other headers":   {"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\n{}", "{}", nil},
		"bare line feeds": {"Content-Length: 2\n\n{}", "{}", nil},
		"end":             {"", "", io.EOF},
		"cut header":      {"Content-Len", "", errs.Format},
		"cut headers":     {"Content-Length: 2\r\n", "", errs.Format},
		"cut body":        {"Content-Length: 3\r\n\r\n{}", "", errs.Format},
		"no length":       {"Content-Type: x\r\n\r\n{}", "", errs.Format},
		"negative":        {"Content-Length: -1\r\n\r\n", "", errs.Format},
		"no number":       {"Content-Length: two\r\n\r\n", "", errs.Format},
		"overflow":        {"Content-Length: 99999999999999999999\r\n\r\n", "", errs.Format},
		"too large":       {"Content-Length: 2000000000\r\n\r\n", "", errs.TooLarge},
		"garbage":         {"Traceback (most recent call last):\r\n\r\n", "", errs.Format},
		"endless line":    {strings.Repeat("x", 1<<20), "", errs.Format},
		"endless headers": {strings.Repeat("a: b\r\n", 1<<16), "", errs.Format},
	} {
		got, err := ReadFrame(bufio.NewReader(strings.NewReader(tt.in)))
		if string(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: readFrame = %q, %v, want %q, %v", name, got, err, tt.want, tt.err)
		}
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull"))
	f.Add([]byte("Content-Type: x\r\nContent-Length: 1\n\r\n1"))
	f.Add([]byte("Content-Length: 2147483647\r\n\r\n"))
	f.Add([]byte("\r\n\r\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := bufio.NewReader(bytes.NewReader(in))
		var again []byte
		var bodies [][]byte
		for {
			body, err := ReadFrame(r)
			if err != nil {
				if !errors.Is(err, io.EOF) && !errors.Is(err, errs.Format) && !errors.Is(err, errs.TooLarge) {
					t.Fatalf("an error of no kind: %v", err)
				}
				break
			}
			bodies = append(bodies, body)
			again = append(again, Frame(body)...)
		}
		// What was read, written again, reads the same.
		r = bufio.NewReader(bytes.NewReader(again))
		for _, want := range bodies {
			got, err := ReadFrame(r)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("round trip: %q, %v, want %q", got, err, want)
			}
		}
		if _, err := ReadFrame(r); err != io.EOF {
			t.Fatalf("after the last frame: %v, want EOF", err)
		}
	})
}
