package visible

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const open, shut = "\x1b]8;;", "\x1b\\"

// linked is what a Writer writes of texts, each with the address and the text of a link behind it.
func linked(t testing.TB, parts ...string) string {
	var b strings.Builder
	w := NewWriter(&b)
	for i := 0; i < len(parts); i += 3 {
		if _, err := w.Write([]byte(parts[i])); err != nil {
			t.Fatal(err)
		}
		if i+2 < len(parts) {
			if err := w.Link(parts[i+1], parts[i+2]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLink(t *testing.T) {
	for _, tt := range []struct {
		name  string
		parts []string // text, address, text of the link, and so on
		want  string
	}{
		{"within a line", []string{"see ", "file:///a", "a.pdf", " p. 3\n"}, "see " + open + "file:///a" + shut + "a.pdf" + open + shut + " p. 3\n"},
		{"two", []string{"", "x:1", "a", "", "x:2", "b"}, open + "x:1" + shut + "a" + open + shut + open + "x:2" + shut + "b" + open + shut},
		{"bold around it", []string{"\x1b[1m", "x:1", "a", "\x1b[0m\n"}, "\x1b[1m" + open + "x:1" + shut + "a" + open + shut + "\x1b[0m\n"},
		{"an escape in the text", []string{"", "x:1", "a\x1b]8;;http://evil\x1b\\b\x1b[1mc"}, open + "x:1" + shut + "a[U+001B]]8;;http://evil[U+001B]\\b[U+001B][1mc" + open + shut},
		{"a link in what is written", []string{"a\x1b]8;;http://evil\x1b\\b\n"}, "a[U+001B]]8;;http://evil[U+001B]\\b\n"},
		{"an address that ends the sequence", []string{"", "x:\x1b\\\x1b]8;;y:\a\u009c\n é", "a"}, open + "x:%1B%5C%1B]8;;y:%07%C2%9C%0A%20%C3%A9" + shut + "a" + open + shut},
		{"several lines", []string{"", "x:1", "a\nb", "\n"}, "a\nb\n"},
		{"no address", []string{"", "", "a", "\n"}, "a\n"},
		{"no text", []string{"a", "x:1", "", "\n"}, "a\n"},
		{"too long", []string{"", "x:" + strings.Repeat("a", 3000), "a"}, "a"},
		{"an escape that a link would end", []string{"\x1b[", "x:1", "31mred", "\n"}, "[U+001B][" + open + "x:1" + shut + "31mred" + open + shut + "\n"},
		{"an escape that begins with a link", []string{"", "x:1", "a\x1b", "[31mred\n"}, open + "x:1" + shut + "a[U+001B]" + open + shut + "[31mred\n"},
		{"half a letter", []string{"\xd0", "x:1", "\xb0", "\n"}, "[0xD0]" + open + "x:1" + shut + "[0xB0]" + open + shut + "\n"},
		{"a look-alike beside it", []string{"p", "x:1", "а", "yload\n"}, "p" + open + "x:1" + shut + "[U+0430]" + open + shut + "yload\n"},
	} {
		if got := linked(t, tt.parts...); got != tt.want {
			t.Errorf("%s:\n%q, want\n%q", tt.name, got, tt.want)
		}
	}
}

// Without a writer that knows links there is the text.
func TestPrinterLink(t *testing.T) {
	var b strings.Builder
	p := &Printer{W: &b}
	if p.Link(Spot{Doc: "d"}, "a\x1b[1m"); p.Err != nil || b.String() != "a[U+001B][1m" {
		t.Errorf("%q, %v", b.String(), p.Err)
	}
}

// ours are the sequences that a Writer may write.
var ours = regexp.MustCompile(`\x1b\[[0-9;]{0,16}m|\x1b\]8;;[!-~]*\x1b\\`)

func FuzzLink(f *testing.F) {
	f.Add("a\x1b", "file:///a\x1b\\", "[1m\x1b]8;;x\x1b\\", "b\x9c\xd0", uint8(3))
	f.Add("\x1b]8;;", "x", "\x1b\\", "\xb0\u202e\r", uint8(1))
	f.Fuzz(func(t *testing.T, before, uri, text, behind string, size uint8) {
		var b strings.Builder
		w := NewWriter(&b)
		write := func(s string) {
			for n := int(size)%7 + 1; s != ""; s = s[min(n, len(s)):] {
				if _, err := w.Write([]byte(s[:min(n, len(s))])); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 2 {
			write(before)
			if err := w.Link(uri, text); err != nil {
				t.Fatal(err)
			}
			write(behind)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		open := 0
		rest := ours.ReplaceAllStringFunc(out, func(m string) string {
			switch {
			case m == linkStart+linkEnd:
				open--
			case strings.HasPrefix(m, linkStart):
				open++
				if m != linkStart+printable(uri)+linkEnd {
					t.Errorf("a link to %q, want %q", m, uri)
				}
			}
			if open < 0 || open > 1 {
				t.Errorf("links are not one behind another: %q", out)
			}
			return ""
		})
		if open != 0 || !utf8.ValidString(out) || strings.ContainsAny(rest, "\x1b\a\u009b\u009c\u009d\x00\u202e") {
			t.Errorf("%q, %d open", out, open)
		}
	})
}
