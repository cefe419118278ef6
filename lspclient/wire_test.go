package lspclient

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestOddAnswers: the answer is the true one although it comes in these forms, among these things.
func TestOddAnswers(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"noise before the first message": `initialize raw npm warn: something\n\nDebugger: listening\n`,
		"noise between messages":         `references raw Traceback (most recent call last):\r\n  File "x"\n`,
		"noise without a line end":       `references raw careless print`,
		"an empty line":                  `references raw \r\n\r\n`,
		"lower case":                     `references framed content-length: LENGTH\r\n\r\n`,
		"no CR":                          `references framed Content-Length: LENGTH\n\n`,
		"more headers":                   `references framed Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: LENGTH\r\nX-More: 1\r\n\r\n`,
		"the old charset":                `references framed Content-Length: LENGTH\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n`,
		"the length twice":               `references framed Content-Length: LENGTH\r\nContent-Length: LENGTH\r\n\r\n`,
		"byte by byte":                   `references bytewise`,
		"an id as a string":              `references form {"jsonrpc":"2.0","id":"ID","result":RESULT}`,
		"an id as a fraction":            `references form {"jsonrpc":"2.0","id":ID.0,"result":RESULT}`,
		"a null error":                   `references form {"jsonrpc":"2.0","id":ID,"result":RESULT,"error":null}`,
		"a batch":                        `references form [{"jsonrpc":"2.0","method":"x/y"},{"jsonrpc":"2.0","id":ID,"result":RESULT}]`,
		"unknown ids":                    `references sends {"id":99999,"result":1}` + "\n" + `references sends {"id":null,"result":[]}`,
		"an error about nothing":         `references sends {"id":null,"error":{"code":-32700,"message":"parse error"}}`,
		"invalid UTF-8 in a log":         `references sends {"method":"window/logMessage","params":{"message":"\xff\xfe"}}`,
		"much on stderr":                 `references shout 2000`,
		"many tokens":                    `references tokens 5000`,
		"progress of unknown work":       `references tells $/progress {"token":"no","value":{"kind":"report","percentage":"x"}}`,
		"asks before it is initialized":  `initialize asks workspace/configuration {"items":[{"section":"fake"}]}` + "\n" + `initialize asks client/registerCapability {"registrations":[]}`,
		"asks while it ends":             `shutdown asks window/showMessageRequest {"type":1,"message":"really?","actions":[]}`,
		"asks for odd things":            `references#1 asks window/showDocument {"uri":"http://x"}` + "\n" + `references#1 asks workspace/configuration 7` + "\n" + `references#1 asks $/what null`,
		"nags a little":                  `references#1 nags 500`,
		"exits at shutdown":              `shutdown die`,
		"ignores shutdown":               `shutdown silent`,
		"closes stdout":                  `references#1 closes stdout`,
		"closes stdin":                   `references#1 closes stdin`,
		"half an answer, then the end":   `references#1 half die`,
		"leaves a daemon":                `initialize daemon`,
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := fakeClient(t, script, &Options{Timeout: 20 * time.Second})
			ask := func(wait time.Duration) (*Result, error) {
				ctx, cancel := context.WithTimeout(t.Context(), wait)
				defer cancel()
				return c.References(ctx, At("a.fk", 2, 5), nil)
			}
			for range 2 {
				wait := 20 * time.Second
				if strings.HasPrefix(name, "half") || strings.HasPrefix(name, "closes stdin") {
					wait = 300 * time.Millisecond // it lives and is silent: calls run out of time until it is started anew
				}
				r, err := ask(wait)
				for ; err != nil && wait < 20*time.Second; wait *= 2 {
					r, err = ask(wait)
				}
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(alphaUses, r.Locations); diff != "" || r.State != Complete {
					t.Errorf("References(alpha) %s (-want +got):\n%s", r.State, diff)
				}
			}
		})
	}
}

// TestWrongAnswers: what is no answer is an error with a reason, never an empty list.
func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script, words string
		cause         error
	}{
		"neither result nor error": {`references form {"jsonrpc":"2.0","id":ID}`, "neither a result nor an error", ErrFormat},
		"both":                     {`references form {"jsonrpc":"2.0","id":ID,"result":[],"error":{"code":1,"message":"no luck"}}`, "no luck", nil},
		"an error that is a text":  {`references form {"jsonrpc":"2.0","id":ID,"error":"no luck"}`, "no luck", nil},
		"an error with odd parts":  {`references form {"jsonrpc":"2.0","id":ID,"error":{"code":"7","message":{"a":"no luck"}}}`, "no luck", nil},
		"nested too deep":          {`references form {"jsonrpc":"2.0","id":ID,"result":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, "depth", ErrFormat},
		"damaged behind its id":    {`references form {"id":ID,"result":[1,}`, "not JSON-RPC", ErrFormat},
		"two lengths":              {`references framed Content-Length: LENGTH\r\nContent-Length: 3\r\n\r\n`, "two different lengths", ErrFormat},
		"another charset":          {`references framed Content-Length: LENGTH\r\nContent-Type: x/y; charset=utf-16\r\n\r\n`, "not in UTF-8", ErrFormat},
		"too large":                {`references raw Content-Length: 99999999\r\n\r\n`, "99999999 bytes", ErrTooLarge},
		"a negative length":        {`references raw Content-Length: -5\r\n\r\n`, "-5", ErrFormat},
		"noise for ever":           {`references raw ` + strings.Repeat("no message at all\\n", 4000), "no messages", ErrFormat},
		"no capabilities":          {`initialize says null`, "without capabilities", ErrFormat},
		"an encoding of its own":   {"encoding utf-7", "not offered", ErrFormat},
		"nags for ever":            {`references nags 200000`, "does not read", nil},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := fakeClient(t, tt.script, nil)
			r, err := c.References(t.Context(), At("a.fk", 2, 5), nil)
			var failed *ServerError
			if !errors.As(err, &failed) || !strings.Contains(err.Error(), tt.words) || tt.cause != nil && !errors.Is(err, tt.cause) {
				t.Errorf("References = %+v, %v, want a ServerError with %q", r, err, tt.words)
			}
		})
	}
}

// TestDeadline: a call to a server that is stopped at any moment, also one that does not read or write any more, ends with
// its context and says which question it was. How exactly, docs/bench/lspclient.md says.
func TestDeadline(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"at the start":        "initialize stop",
		"before the answer":   "references stop",
		"within the answer":   "references half stop",
		"within a shown file": "didOpen stop",
	} {
		t.Run(name, func(t *testing.T) {
			c, root, _ := fakeClient(t, script, nil)
			writeFiles(t, root, map[string]string{"large.fk": "def large\n" + strings.Repeat("use large\n", 100_000)}) // more than a pipe holds
			for range 2 {
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				var calls []chan error
				for _, at := range []Target{At("a.fk", 2, 5), At("large.fk", 2, 5), At("sub/b.fk", 2, 5)} {
					done := make(chan error, 1)
					go func() {
						_, err := c.References(ctx, at, nil)
						done <- err
					}()
					calls = append(calls, done)
				}
				for _, done := range calls {
					var failed *ServerError
					if err := <-done; !errors.As(err, &failed) || !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("References: %v, want a ServerError with the deadline", err)
					}
				}
				cancel()
			}
		})
	}
}
