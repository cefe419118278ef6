package charset

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func units(order binary.AppendByteOrder, s string) string {
	b := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func TestUTF8(t *testing.T) {
	for _, tt := range []struct{ name, path, raw, want string }{
		{"nothing", "a.c", "", ""},
		{"ASCII", "a.c", "int a;\r\n", "int a;\r\n"},
		{"UTF-8", "a.py", "é\n", "é\n"},
		{"UTF-8 with a mark", "a.js", "\xef\xbb\xbfé\n", "é\n"},
		{"a mark and faults", "a.js", "\xef\xbb\xbf\xe9\n", "é\n"},
		{"a mark beats a declaration", "a.py", "\xef\xbb\xbf# coding: latin-1\né\n", "# coding: latin-1\né\n"},
		{"a mark alone", "a.c", "\xef\xbb\xbf", ""},
		{"UTF-16, little", "a.h", units(binary.LittleEndian, "ü 📡 → x\r\ny\n"), "ü 📡 → x\r\ny\n"},
		{"UTF-16, big", "a.h", units(binary.BigEndian, "ü 📡 → x\r\ny\n"), "ü 📡 → x\r\ny\n"},
		{"UTF-16, half a unit", "a.h", units(binary.LittleEndian, "ab\n") + "c", "ab\n\ufffd"},
		{"UTF-16, half a pair", "a.h", units(binary.LittleEndian, "ab") + "\x3d\xd8c\x00", "ab\ufffdc"},
		{"UTF-16 of zeros", "a.h", "\xff\xfe\x00\x00", "\x00"},
		{"UTF-16, not at all", "a.h", "\xff\xfe" + strings.Repeat("\x00\xdc", 99), "\xff\xfe" + strings.Repeat("\x00\xdc", 99)},
		{"Latin-1", "a.c", "/* caf\xe9 \xdcber */\n", "/* café Über */\n"},
		{"Windows-1252", "a.php", "\x80 \x93a\x94 \x85 \x81\n", "€ “a” … \ufffd\n"},
		{"UTF-8 with a fault", "a.c", "ä ö ü ß \xe9\n", "ä ö ü ß é\n"},
		{"Latin-1 that looks like UTF-8 once", "a.c", "\xc3\xa9 \xe9 \xe8\n", "Ã© é è\n"},
		{"zero bytes", "a.c", "\xe9\x00\n", "\xe9\x00\n"},
		{"control characters", "a.c", "\xe9\x01\x02\x03\x04\n", "\xe9\x01\x02\x03\x04\n"},
		{"the end of file of DOS", "a.bat", "\xe9\r\n\x1a", "é\r\n\x1a"},
		{"declared", "a.py", "# -*- coding: latin-1 -*-\nx = '\xc3\xa9'\n", "# -*- coding: latin-1 -*-\nx = 'Ã©'\n"},
		{"declared in the second line", "a.pyw", "#!/usr/bin/python\n# vim: set fileencoding=koi8-r :\n# \xd4\xc5\xd3\xd4\n", "#!/usr/bin/python\n# vim: set fileencoding=koi8-r :\n# тест\n"},
		{"declared for an editor", "a.py", "# coding: ISO_8859-15-unix\n# \xa4\n", "# coding: ISO_8859-15-unix\n# €\n"},
		{"declared too late", "a.py", "\n\n# coding: koi8-r\n# \xe9\n", "\n\n# coding: koi8-r\n# é\n"},
		{"declared behind code", "a.py", "import a\n# coding: koi8-r\n# \xe9\n", "import a\n# coding: koi8-r\n# é\n"},
		{"declared elsewhere than in Python", "a.c", "# coding: koi8-r\n\xe9\n", "# coding: koi8-r\né\n"},
		{"declared, two bytes a character", "a.py", "# coding: gb2312\n# \xc4\xe3\xba\xc3\n", "# coding: gb2312\n# 你好\n"},
		{"declared, with backslashes in characters", "a.py", "# coding: shift_jis\n# \x95\x5c\n", "# coding: shift_jis\n# 表\n"},
		{"declared, with escapes", "a.py", "# coding: iso-2022-jp\n# \x1b$BF|\x1b(B\n", "# coding: iso-2022-jp\n# 日\n"},
		{"declared, half a character before the end of a line", "a.py", "# coding: euc-jp\n# \xc6\n", "# coding: euc-jp\n# \ufffd\n"},
		{"declared as UTF-8, and is not", "a.py", "# coding: utf-8\n# \xe9\n", "# coding: utf-8\n# é\n"},
		{"declared as something unknown", "a.py", "# coding: rot13\n# é\n", "# coding: rot13\n# é\n"},
		{"declared, binary", "a.py", "# coding: latin-1\n\x00\n", "# coding: latin-1\n\x00\n"},
		{"a long line", "a.py", "#" + strings.Repeat(" ", maxCookie) + "coding: koi8-r\n# \xe9\n", "#" + strings.Repeat(" ", maxCookie) + "coding: koi8-r\n# é\n"},
	} {
		raw := []byte(tt.raw)
		if d := cmp.Diff(tt.want, string(UTF8(tt.path, raw))); d != "" {
			t.Errorf("%s: UTF8(%q, %q) (-want +got):\n%s", tt.name, tt.path, tt.raw, d)
		}
		if string(raw) != tt.raw {
			t.Errorf("%s: the bytes were changed", tt.name)
		}
	}
}

func FuzzUTF8(f *testing.F) {
	for _, s := range []string{"é\n", "caf\xe9\n", "\xef\xbb\xbfa", units(binary.LittleEndian, "ü\n📡"), "# coding: shift_jis\n\x95\n", "# coding: big5\n\x95\n", "# coding: gb18030\n\x95\n"} {
		f.Add("a.py", []byte(s))
		f.Add("a.c", []byte(s))
	}
	f.Fuzz(func(t *testing.T, path string, raw []byte) {
		before := bytes.Clone(raw)
		out := UTF8(path, raw)
		switch {
		case !bytes.Equal(before, raw):
			t.Fatal("the bytes were changed")
		case len(out) > 3*len(raw):
			t.Fatalf("%d bytes of %d", len(out), len(raw))
		case !utf8.Valid(out) && !bytes.Equal(out, raw):
			t.Fatalf("%q is not UTF-8", out)
		case utf8.Valid(out) && !bytes.HasPrefix(raw, []byte("\xff\xfe")) && !bytes.HasPrefix(raw, []byte("\xfe\xff")) && bytes.Count(out, []byte("\n")) != bytes.Count(raw, []byte("\n")):
			t.Fatalf("other lines: %q", out)
		}
	})
}
