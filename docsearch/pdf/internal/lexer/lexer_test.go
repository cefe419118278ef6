package lexer

import (
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

func FuzzLexer(f *testing.F) {
	f.Add([]byte("BT /F#20a 12 Tf [(a\\051)-3.5<414>] TJ << /K [1 2 R] >> % c\n--5 .5 1e3 ET"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := &Lexer{Input: data}
		last := -1
		for {
			tok := l.Next()
			if tok.Kind == EOF {
				return
			}
			if tok.Pos <= last {
				t.Fatalf("token at %d after one at %d", tok.Pos, last)
			}
			last = tok.Pos
			l.Value(tok, 0)
		}
	})
}

// TestLexerReusesMemory: once its memory has grown, the lexer allocates nothing for numbers, names, strings and arrays.
func TestLexerReusesMemory(t *testing.T) {
	in := []byte(`[(text) -20 (with \(escapes\)) <616263>] TJ /Name#20x 12.5 -3 re << /A [1 2 [3 (four)]] >> BDC`)
	l := &Lexer{}
	run := func() {
		l.Input, l.Pos = in, 0
		for tok := l.Next(); tok.Kind != EOF; tok = l.Next() {
			if tok.Kind == ArrayOpen || tok.Kind == DictOpen {
				l.Value(tok, 0)
			}
		}
		l.Release()
	}
	run()
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkLexer(b *testing.B) {
	in := []byte(pdftest.DensePage(60))
	l := &Lexer{}
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		l.Input, l.Pos = in, 0
		for t := l.Next(); t.Kind != EOF; t = l.Next() {
			if t.Kind == ArrayOpen {
				l.Value(t, 0)
			}
			l.Release()
		}
	}
}
