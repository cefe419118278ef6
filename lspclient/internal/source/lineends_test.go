package source

import (
	"testing"
	"unicode/utf8"

	"github.com/findspot/findspot/lspclient/internal/protocol"
)

func TestLineRules(t *testing.T) {
	const text = "a\r\nb\rc\u2028d\u2029\U0001F4E1e\u0085f\fg\nh\n"
	for _, tt := range []struct {
		rule      LineRule
		line, col int
		want      protocol.Position
	}{
		{protocolLines, 2, 1, protocol.Position{Line: 1}},
		{protocolLines, 3, 5, protocol.Position{Line: 2, Character: 2}},
		{protocolLines, 4, 1, protocol.Position{Line: 3}},
		{lfLines, 2, 1, protocol.Position{Line: 1}},
		{lfLines, 3, 1, protocol.Position{Line: 1, Character: 2}},
		{lfLines, 3, 13, protocol.Position{Line: 1, Character: 8}},
		{lfLines, 4, 1, protocol.Position{Line: 2}},
		{lfLines, 5, 1, protocol.Position{Line: 3}},
		{askLFLines, 3, 5, protocol.Position{Line: 1, Character: 4}},
		{ecmaLines, 3, 1, protocol.Position{Line: 2}},
		{ecmaLines, 3, 5, protocol.Position{Line: 3}},
		{ecmaLines, 3, 9, protocol.Position{Line: 4}},
		{ecmaLines, 3, 13, protocol.Position{Line: 4, Character: 2}},
		{ecmaLines, 4, 2, protocol.Position{Line: 5, Character: 1}},
		{SplitLines, 3, 13, protocol.Position{Line: 2, Character: 6}},
	} {
		c := NewText([]byte(text))
		got, ok := c.ToServer(tt.line, tt.col, UTF16, tt.rule)
		if !ok || got != tt.want {
			t.Errorf("toServer(%d, %d) by %q = %+v, %v, want %+v", tt.line, tt.col, tt.rule, got, ok, tt.want)
		}
		back := tt.rule
		if back == askLFLines {
			back = lfLines
		}
		if line, col, ok := c.FromServer(tt.want, UTF16, back); !ok || line != tt.line || col != tt.col {
			t.Errorf("fromServer(%+v) by %q = %d, %d, %v, want %d, %d", tt.want, back, line, col, ok, tt.line, tt.col)
		}
	}
	c := NewText([]byte(text))
	if line, col, ok := c.FromServer(protocol.Position{Line: 2, Character: 2}, UTF16, askLFLines); !ok || line != 3 || col != 5 {
		t.Errorf("an answer by %q is at %d:%d, %v", askLFLines, line, col, ok)
	}
	for _, rule := range LineRules() {
		if _, _, ok := c.FromServer(protocol.Position{Line: 40}, UTF16, rule); ok {
			t.Errorf("line 41 exists by %q", rule)
		}
		if line, col, ok := c.FromServer(protocol.Position{Line: 1, Character: 1 << 31}, UTF16, rule); !ok || line < 2 {
			t.Errorf("the end of a line by %q is %d:%d, %v", rule, line, col, ok)
		}
	}
}

func TestSplitWidth(t *testing.T) {
	for _, tt := range []struct {
		text  string
		line  int
		width int64
		odd   bool
	}{
		{"ab\ncd\n", 1, 0, false},
		{"ab\f\ncd\n", 0, 3, true},
		{"ab\f\ncd\n", 1, 0, true},
		{"ab\f\ncd\n", 2, 2, true},
		{"a\u2028b\r\nc\vd", 1, 1, true},
		{"a\u2028b\r\nc\vd", 2, 2, true},
		{"a\u2028b\r\nc\vd", 3, 1, true},
		{"\x1c", 5, 0, true},
	} {
		if width, odd := SplitWidth([]byte(tt.text), tt.line); width != tt.width || odd != tt.odd {
			t.Errorf("splitWidth(%q, %d) = %d, %v, want %d, %v", tt.text, tt.line, width, odd, tt.width, tt.odd)
		}
	}
}

// FuzzLineRules: a place of a character comes back from every rule, and no position of a server makes a panic.
func FuzzLineRules(f *testing.F) {
	f.Add("a\r\nb\rc\u2028d\u2029\U0001F4E1e", 2, 3, uint32(1), uint32(2))
	f.Fuzz(func(t *testing.T, text string, line, col int, l, u uint32) {
		if !utf8.ValidString(text) {
			return
		}
		c := NewText([]byte(text))
		for _, enc := range Encodings() {
			for _, rule := range []LineRule{protocolLines, lfLines, ecmaLines} {
				if line, col, ok := c.FromServer(protocol.Position{Line: l, Character: u}, enc, rule); ok {
					if row, ok := c.Line(line); !ok || col < 1 || col > len(row)+2 {
						t.Errorf("fromServer(%d, %d) by %q is %d:%d of a line of %d bytes", l, u, rule, line, col, len(row))
					}
				}
				row, ok := c.Line(line)
				if !ok || col < 1 || col > len(row) || !utf8.RuneStart(row[col-1]) {
					continue
				}
				p, ok := c.ToServer(line, col, enc, rule)
				if gotLine, gotCol, ok2 := c.FromServer(p, enc, rule); !ok || !ok2 || gotLine != line || gotCol != col {
					t.Errorf("%d:%d by %q in %s is %+v, and that is %d:%d", line, col, rule, enc, p, gotLine, gotCol)
				}
			}
		}
	})
}
