package pdf

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
)

// densePage is content like that of a page of running text, with kerning, and a table's rules.
func densePage(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "BT /F 10 Tf 1 0 0 1 60 %d Tm [(Line %d of )-333(running)12(te)-4(xt)-250(with \\(escapes\\) )<77696468>(s)] TJ ET\n", 760-12*i, i)
		fmt.Fprintf(&b, "q 0.5 w 60 %d m 400 %d l S Q\n", 758-12*i, 758-12*i)
	}
	return b.String()
}

// TestMemoryReused reads pages of very different sizes, one after the other and all over again, in memory that they share: each
// reads as it does in a document of its own.
func TestMemoryReused(t *testing.T) {
	contents := []string{
		densePage(60), "", "BT /F 12 Tf 50 700 Td (short) Tj ET", densePage(3),
		"BT /F 12 Tf 50 700 Td (Table 1: numbers) Tj ET " + densePage(8), "0 0 m 10 10 l 20 0 l S",
	}
	b := newBuilder()
	var want []*docsearch.Page
	for i, c := range contents {
		b.page(helvetica, c, "")
		p := firstPage(t, onePage(helvetica, c), &Options{Plain: true})
		p.Number = i + 1
		want = append(want, p)
	}
	x := New(&Options{Plain: true})
	data := b.bytes()
	for range 3 {
		d, err := x.Open(t.Context(), strings.NewReader(string(data)), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for p, err := range d.Pages(t.Context(), 1, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(p, want[i]) {
				t.Errorf("page %d reads %q, alone %q", i+1, p.Text, want[i].Text)
			}
			i++
		}
		d.Close()
	}
}

// TestLexerReusesMemory: once its memory has grown, the lexer allocates nothing for numbers, names, strings and arrays.
func TestLexerReusesMemory(t *testing.T) {
	in := []byte(`[(text) -20 (with \(escapes\)) <616263>] TJ /Name#20x 12.5 -3 re << /A [1 2 [3 (four)]] >> BDC`)
	l := &lexer{}
	run := func() {
		l.in, l.pos = in, 0
		for tok := l.next(); tok.kind != tokEOF; tok = l.next() {
			if tok.kind == tokArrayOpen || tok.kind == tokDictOpen {
				l.value(tok, 0)
			}
		}
		l.release()
	}
	run()
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkLexer(b *testing.B) {
	in := []byte(densePage(60))
	l := &lexer{}
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		l.in, l.pos = in, 0
		for t := l.next(); t.kind != tokEOF; t = l.next() {
			if t.kind == tokArrayOpen {
				l.value(t, 0)
			}
			l.release()
		}
	}
}

// BenchmarkInterpreter runs the content of a page, BenchmarkLayout makes lines of what it put on the canvas.
func BenchmarkInterpreter(b *testing.B) {
	d := open(b, onePage(helvetica, densePage(60)), nil).(*document)
	mem := new(scratch)
	b.ReportAllocs()
	for b.Loop() {
		mem.canvas.glyphs, mem.canvas.rules = mem.canvas.glyphs[:0], mem.canvas.rules[:0]
		if c := readContent(context.Background(), d.f, &d.nodes[0], mem); c.err != nil {
			b.Fatal(c.err)
		}
	}
}

func BenchmarkLayout(b *testing.B) {
	d := open(b, onePage(helvetica, densePage(60)), nil).(*document)
	mem := new(scratch)
	if c := readContent(context.Background(), d.f, &d.nodes[0], mem); c.err != nil {
		b.Fatal(c.err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if lines := layoutLines(layoutSegments(mem.canvas.glyphs, &mem.layout), &mem.layout); len(lines) != 60 {
			b.Fatalf("%d lines", len(lines))
		}
	}
}
