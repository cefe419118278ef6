package sheet

import "testing"

// Values as Excel shows them in a cell of each format.
func TestNumber(t *testing.T) {
	for _, tt := range []struct{ value, code, want string }{
		{"0.30000000000000004", "General", "0.3"},
		{"123456789012", "General", "123456789012"},
		{"1e20", "General", "1E+20"},
		{"-1.5", "", "-1.5"},
		{"words", "0", "words"},
		{"NaN", "0", "NaN"},
		{"1234567.891", "#,##0.00", "1,234,567.89"},
		{"999.995", "#,##0.00", "1,000.00"},
		{"1.005", "0.00", "1.01"},
		{"0.5", "#.##", ".5"},
		{"12", "#.##", "12"},
		{"5", "000", "005"},
		{"-5", "000", "-005"},
		{"-0.001", "0.0", "0.0"},
		{"-5", "0;(0)", "(5)"},
		{"0", "0;-0;zero", "zero"},
		{"5", `0" km"`, "5 km"},
		{"5", `0\ \k\m`, "5 km"},
		{"0.125", "0.0%", "12.5%"},
		{"1234", "#,", "1"},
		{"1500000", `0.0,,"M"`, "1.5M"},
		{"12345", "0.00E+00", "1.23E+04"},
		{"0.00012", "0.0E+0", "1.2E-4"},
		{"12345", "##0.0E+0", "12.3E+3"},
		{"9.999", "0.0E+0", "1.0E+1"},
		{"0", "0.00E+00", "0.00E+00"},
		{"2.5", "# ?/?", "2 1/2"},
		{"0.333", "# ?/?", "1/3"},
		{"2.26", "# ?/8", "2 2/8"},
		{"1.5", "?/?", "3/2"},
		{"3", "# ?/?", "3"},
		{"150", "[>=100]0;[<0]-0;0.0", "150"},
		{"50", "[>=100]0;[<0]-0;0.0", "50.0"},
		{"5", `[$€-407]0.00`, "€5.00"},
		{"5", `0.00\ [$kr-414]`, "5.00 kr"},
		{"-1234.5", `_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)`, "$(1,234.50)"},
		{"5551234", "000-0000", "555-1234"},
		{"45000", "yyyy-mm-dd", "2023-03-15"},
		{"45000", "dddd, d. mmmm yy", "Wednesday, 15. March 23"},
		{"45000.5", "d/m/yyyy h:mm AM/PM", "15/3/2023 12:00 PM"},
		{"45000.9999", "yyyy-mm-dd hh:mm", "2023-03-15 23:59"},
		{"0.0006944444", "mm:ss", "01:00"},
		{"1.25", "[hh]:mm:ss", "30:00:00"},
		{"0.00001", "s.00", "0.86"},
		{"45000", "mmmmm", "M"},
		{"-1", "yyyy", "-1"},
		{"3000000", "yyyy", "3000000"},
		{"60", "yyyy-mm-dd", "1900-02-28"}, // Excel shows 29 February, which was not
		{"1", "yyyy-mm-dd", "1900-01-01"},
		{"45000", "[$-409]d\\-mmm\\-yy;@", "15-Mar-23"},
	} {
		f := newFormats(nil, false)
		f.ids, f.codes = []int{200}, map[int]string{200: tt.code}
		if got := f.number(tt.value, 0); got != tt.want {
			t.Errorf("%s in %q: %q, want %q", tt.value, tt.code, got, tt.want)
		}
	}
	f := newFormats(nil, true)
	f.ids = []int{14}
	if got := f.number("43538", 0); got != "2023-03-15" {
		t.Errorf("a day counted from 1904: %q", got)
	}
	for _, style := range []int{-1, 5} {
		if got := f.number("5", style); got != "5" {
			t.Errorf("style %d, which is not in the file: %q", style, got)
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, code := range builtin {
		f.Add(code, 1234.5678)
	}
	f.Add(`\`, 1.0)
	f.Add(`[>=1e9]#,##0.0,,"M";[<0](0)\x_-*-;"none"`, -1e-300)
	f.Fuzz(func(t *testing.T, code string, v float64) {
		if len(code) > maxCode {
			return
		}
		secs := parse(code)
		if len(secs) == 0 || len(secs) > 4 {
			t.Fatalf("%q has %d parts", code, len(secs))
		}
		x := newFormats(nil, false)
		x.ids, x.codes = []int{1}, map[int]string{1: code}
		x.read[1] = secs
		x.text("text", 0)
		if got := x.number(general(v), 0); len(got) > 400*(1+len(code)) {
			t.Fatalf("%q makes %d bytes of %v", code, len(got), v)
		}
	})
}

func TestParseCell(t *testing.T) {
	for _, tt := range []struct {
		in       string
		row, col int
		ok       bool
	}{
		{"A1", 0, 0, true}, {"$AB$12", 11, 27, true}, {"XFD1048576", 1048575, 16383, true}, {"XFE1", 0, 0, false}, {"A1048577", 0, 0, false}, {"A0", 0, 0, false}, {"12", 0, 0, false}, {"", 0, 0, false},
		{"a1", 0, 0, false}, {"AAAAA1", 0, 0, false},
	} {
		if row, col, ok := parseCell(tt.in); row != tt.row || col != tt.col || ok != tt.ok {
			t.Errorf("parseCell(%q) = %d, %d, %v", tt.in, row, col, ok)
		}
	}
}
