package mcpstdio

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                    "",
		"\n {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\r\n": "",
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`:                  "",
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                        "",
		``:                                                            `"id":null,"error":{"code":-32700`,
		`x`:                                                           `"id":null,"error":{"code":-32700`,
		`{"jsonrpc":"2.0","id":"a"}`:                                  `"id":"a","error":{"code":-32600`,
		`[]`:                                                          `-32600`,
		`[1]`:                                                         `-32600`,
		`[` + strings.Repeat(`1,`, maxBatch) + `1]`:                    `a batch of 101 messages`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`: `"id":null`,
		strings.Repeat("[", 1000):                                      `nested deeper`,
	} {
		if got := string(Check([]byte(text))); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("Check(%.60q) = %q, want %q", text, got, want)
		}
	}
}
