package visible

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a\tb\r\nc\n", "a\tb\r\nc\n"},
		{"other scripts", "Größe, длина, 長さ, μm, kΩ, שלום", "Größe, длина, 長さ, μm, kΩ, שלום"},
		{"escape", "a\x1b[31mb", "a[U+001B][31mb"},
		{"C1 escape", "a\u009b31mb", "a[U+009B]31mb"},
		{"title of a terminal", "\x1b]0;x\a", "[U+001B]]0;x[U+0007]"},
		{"carriage return", "good\rbad", "good[U+000D]bad"},
		{"backspace", "a\bb", "a[U+0008]b"},
		{"delete", "a\x7fb", "a[U+007F]b"},
		{"NUL", "a\x00b", "a[U+0000]b"},
		{"override", "a\u202eb\u202cc", "a[U+202E]b[U+202C]c"},
		{"isolate", "\u2066x\u2069", "[U+2066]x[U+2069]"},
		{"zero width", "pa\u200bss", "pa[U+200B]ss"},
		{"joiner in Latin", "pa\u200dss", "pa[U+200D]ss"},
		{"joiner in Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"family", "👩\u200d👧", "👩\u200d👧"},
		{"mark in Latin", "a\u200eb", "a[U+200E]b"},
		{"mark in Hebrew", "שלום\u200f!", "שלום\u200f!"},
		{"byte order mark", "\ufeffa", "[U+FEFF]a"},
		{"tags", "a\U000e0041\U000e0042", "a[U+E0041][U+E0042]"},
		{"selectors in a row", "❤\ufe0f\ufe0f", "❤\ufe0f[U+FE0F]"},
		{"selector after a look-alike", "tΧ\ufe0f", "t[U+03A7][U+FE0F]"},
		{"joiner between look-alikes", "xا\u200cاx", "x[U+0627][U+200C][U+0627]x"},
		{"selectors carry bytes", "a\U000e0110", "a[U+E0110]"},
		{"line separators", "a\u2028b\u0085c", "a[U+2028]b[U+0085]c"},
		{"filler", "a\u3164b", "a[U+3164]b"},
		{"Cyrillic in a Latin word", "pаyload = 1", "p[U+0430]yload = 1"},
		{"Cyrillic after a low line", "get_сору(x)", "get_[U+0441][U+043E][U+0440][U+0443](x)"},
		{"Cyrillic in hexadecimal", "0х1F", "0[U+0445]1F"},
		{"Greek capital and omicron", "Αdmin lοgin", "[U+0391]dmin l[U+03BF]gin"},
		{"Greek within a word", "pαyload", "p[U+03B1]yload"},
		{"Armenian", "usеr հost", "us[U+0435]r [U+0570]ost"},
		{"Cherokee and Lisu", "ᎪPI ꓮPI", "[U+13AA]PI [U+A4EE]PI"},
		{"two scripts without Latin", "аο", "[U+0430][U+03BF]"},
		{"a whole word among code", "def ѕсоре(): pass", "def [U+0455][U+0441][U+043E][U+0440][U+0435](): pass"},
		{"a whole word and an assignment", "ѕсоре = 1", "[U+0455][U+0441][U+043E][U+0440][U+0435] = 1"},
		{"a whole word beside a comment", "ѕсоре = 1 # область", "[U+0455][U+0441][U+043E][U+0440][U+0435] = 1 # область"},
		{"after an escape", `"\nаdmin"`, `"\n[U+0430]dmin"`},
		{"Russian", "Он сказал: «хор — это рост», а ухо и нос USB-кабеля — нет.", "Он сказал: «хор — это рост», а ухо и нос USB-кабеля — нет."},
		{"a heading", "СТЕК\nОТВЕТ", "СТЕК\nОТВЕТ"},
		{"Russian in code", `print("\nОшибка %sчасть", длина) # хор голосов`, `print("\nОшибка %sчасть", длина) # хор голосов`},
		{"parts of names", "user_имя idшник HTTPсервер", "user_имя idшник HTTPсервер"},
		{"ranges of letters", "[a-zа-яA-ZА-Я]", "[a-zа-яA-ZА-Я]"},
		{"mathematics", "Δf, μs, α-stable, σmax = αx, kΩ, ρ0, νi, sin α", "Δf, μs, α-stable, σmax = αx, kΩ, ρ0, νi, sin α"},
		{"biology", "TNFα NFκB RORγt PPARγ2 β-catenin", "TNFα NFκB RORγt PPARγ2 β-catenin"},
		{"Greek", "το ΝΑΤΟ (NATO) και η Ελλάδα", "το ΝΑΤΟ (NATO) και η Ελλάδα"},
		{"degrees and full width", "5ºС ＡＢＣ日本 長さx", "5ºС ＡＢＣ日本 長さx"},
		{"no UTF-8", "a\xffb\xc3", "a[0xFF]b[0xC3]"},
	} {
		if got := Text(tt.in); got != tt.want {
			t.Errorf("%s: Text(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
		if Safe(tt.in) != (tt.in == tt.want) {
			t.Errorf("%s: Safe(%q) = %v", tt.name, tt.in, Safe(tt.in))
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a\x1b[0m", "\u202e\u200d", "\xff\xc3", "👩\u200d👧\ufe0f", "می\u200cخ", "pаy_сору", "ѕсоре = сор; аο \u202eрост это", "ѕсо\xd1 с\x80е =сор00аο", "a-zа [U+0430]х = 1\nхор", `\xfа\u0430ѕ`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Text(s)
		if !utf8.ValidString(out) || strings.ContainsAny(out, "\x1b\x00\u202e\u2066\u200b") {
			t.Errorf("Text(%q) = %q", s, out)
		}
		if again := Text(out); again != out {
			t.Errorf("Text twice: %q, %q", out, again)
		}
	})
}

func TestJSON(t *testing.T) {
	for _, s := range []string{"plain", "a\x1b[0m\u202eb\u200b\U000e0041\x7f\u009b", "ü\u2028", "\nпароль \nаdmin pаss"} {
		data, err := json.Marshal(map[string]string{"s": s})
		if err != nil {
			t.Fatal(err)
		}
		out := JSON(append(data, '\n'))
		var back map[string]string
		if err := json.Unmarshal(out, &back); err != nil || back["s"] != s || !Safe(string(out)) {
			t.Errorf("JSON(%q) = %s, %v", s, out, err)
		}
	}
}

func TestWriter(t *testing.T) {
	const in = "p\x1b[1mаy\x1b[0mload ѕсоре\n = 1 ü \xd0\x1b[1m\xb0\na\x1b[1mbold\x1b[0m\x1b[2J\u202ex\x1b]0;t\x07 ü\r\nend\r"
	const want = "p\x1b[1m[U+0430]y\x1b[0mload [U+0455][U+0441][U+043E][U+0440][U+0435]\n = 1 ü [0xD0]\x1b[1m[0xB0]\na\x1b[1mbold\x1b[0m[U+001B][2J[U+202E]x[U+001B]]0;t[U+0007] ü\r\nend[U+000D]"
	for size := 1; size < len(in); size++ {
		var b strings.Builder
		w := NewWriter(&b)
		for i := 0; i < len(in); i += size {
			if n, err := w.Write([]byte(in[i:min(i+size, len(in))])); err != nil || n != min(size, len(in)-i) {
				t.Fatal(n, err)
			}
		}
		if err := w.Flush(); err != nil || b.String() != want {
			t.Errorf("in pieces of %d: %q, %v, want %q", size, b.String(), err, want)
		}
	}
}
