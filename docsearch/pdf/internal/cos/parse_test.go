package cos

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/errs"
)

func TestParse(t *testing.T) {
	tests := []struct {
		in   string
		want Object
	}{
		{"true", Bool(true)},
		{"false ", Bool(false)},
		{"null", nil},
		{"12", Integer(12)},
		{"-7", Integer(-7)},
		{"+7", Integer(7)},
		{"--5", Integer(-5)},
		{"5-3", Integer(5)},
		{"1.5", Float(1.5)},
		{"-.5", Float(-.5)},
		{"4.", Float(4)},
		{"1.2.3", Float(1.2)},
		{"-", Integer(0)},
		{"99999999999999999999", Float(99999999999999999999)},
		{"/Name", Name("Name")},
		{"/A#20b#zz", Name("A b#zz")},
		{"/ ", Name("")},
		{"(a(b)c)", String("a(b)c")},
		{`(\n\r\t\b\f\(\)\\\101\7\q)`, String("\n\r\t\b\f()\\A\aq")},
		{"(a\\\nb\\\r\nc\rd\r\ne)", String("abc\nd\ne")},
		{"(open", String("open")},
		{"<48 656C6c6F2>", String("Hello ")},
		{"<>", String("")},
		{"[1 2 3 0 R null /N R]", Array{Integer(1), Integer(2), Ref{3, 0}, nil, Name("N")}},
		{"[1 2", Array{Integer(1), Integer(2)}},
		{"[0 0 R]", Array{nil}},
		{"[70000000 0 R]", Array{nil}},
		{"<</A 1/B[2]/C<</D(e)>>/F null/G 5 0 R>>", Dict{"A": Integer(1), "B": Array{Integer(2)}, "C": Dict{"D": String("e")}, "G": Ref{5, 0}}},
		{"<</A 1 2/B 3>>", Dict{"A": Integer(1), "B": Integer(3)}},
		{"<</A [1 >>", Dict{"A": Array{Integer(1)}}},
		{"<</A 1 endobj", Dict{"A": Integer(1)}},
		{"<</A 1 stream", Dict{"A": Integer(1)}},
		{"% comment\n 8", Integer(8)},
		{"<</A% c >>\n9>>", Dict{"A": Integer(9)}},
	}
	for _, tt := range tests {
		p := parser{in: []byte(tt.in), last: true}
		got, word, err := p.next(0)
		if word == "null" {
			word = ""
		}
		if err != nil || word != "" {
			t.Errorf("%q: word %q, error %v", tt.in, word, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
	}
}

// An object that goes on behind the bytes at hand is never taken for a shorter one.
func TestParseShort(t *testing.T) {
	const in = "7 0 obj <</Type/Page/N 123/R 45 0 R/S(a\\)b)/H<48656C>/A[1.5 true null]/D<</E/F>>>> endobj"
	want := Dict{"Type": Name("Page"), "N": Integer(123), "R": Ref{45, 0}, "S": String("a)b"), "H": String("Hel"),
		"A": Array{Float(1.5), Bool(true), nil}, "D": Dict{"E": Name("F")}}
	for i := range in {
		p := parser{in: []byte(in[:i])}
		num, _, ok := p.header()
		if !ok {
			continue
		}
		o, _, err := p.body()
		if err == nil && num == 7 {
			if diff := cmp.Diff(Object(want), o); diff != "" {
				t.Errorf("cut at %d (-want +got):\n%s", i, diff)
			}
		} else if err != errShort {
			t.Errorf("cut at %d: %v, want errShort", i, err)
		}
	}
}

func TestParseBounds(t *testing.T) {
	for name, in := range map[string]string{
		"deep": strings.Repeat("[", 100_000),
		"long": "[" + strings.Repeat("0 ", maxItems+1) + "]",
	} {
		p := parser{in: []byte(in), last: true}
		if _, _, err := p.next(0); !errors.Is(err, errs.TooLarge) {
			t.Errorf("%s: %v, want errs.TooLarge", name, err)
		}
	}
	p := parser{last: true}
	if _, _, err := p.next(0); err != io.ErrUnexpectedEOF {
		t.Errorf("nothing: %v", err)
	}
}
