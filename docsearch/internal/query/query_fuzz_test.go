package query

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/findspot/findspot/docsearch/internal/querytext"
	"github.com/findspot/findspot/internal/errs"
)

// Whatever a query is, its plain stretches and its phrases hold its words and no others, but for what a backslash takes apart.
func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{`"cell search" -uplink -"random access"`, `a\"b \-c -5 --x`, `„x“ «y» (-z`, "\xff\"\xc3", `-"a`, `"" -""`} {
		f.Add(s)
	}
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, s)
	}
	f.Fuzz(func(t *testing.T, q string) {
		if len(q) > 8<<10 {
			return
		}
		segs, notes := querytext.Parse(q)
		var all strings.Builder
		for _, s := range segs {
			all.WriteString(letters(s.Text)) // each alone: halves of a letter on both sides of a quote are none
			querytext.Words(s.Text, s.Quoted)
		}
		if got, want := all.String(), letters(q); got != want {
			t.Errorf("%q was read as %+v (%q): letters %q, want %q", q, segs, notes, got, want)
		}
		for _, literal := range []bool{false, true} {
			New(q, literal, nil, func(string) []string { return nil })
		}
	})
}

// A glossary is read or refused with the kind of its error, and then takes words apart no further than they go.
func FuzzGlossary(f *testing.F) {
	f.Add("# radio\nPSS = primary synchronization signal\nUE=user equipment\n", "the PSS of a UE")
	f.Add("\ufeffIT = information technology\r\nof the = a", "IT of the")
	f.Add("a-b = a_b = AB\n", "a b a-b")
	f.Fuzz(func(t *testing.T, file, query string) {
		if len(file) > 64<<10 || len(query) > 8<<10 {
			return
		}
		g, err := ParseGlossary("g", strings.NewReader(file))
		if err != nil {
			if !errors.Is(err, errs.Format) && !errors.Is(err, errs.TooLarge) {
				t.Fatalf("%v", err)
			}
			return
		}
		ws := querytext.Words(query, false)
		for i := range ws {
			term, others, n := g.at(ws[i:])
			if n > len(ws)-i || (n > 0) != (term != "") || (n > 0) != (len(others) > 0) || len(others) > maxSynonyms {
				t.Errorf("at %d of %q: %q, %d others, %d words", i, query, term, len(others), n)
			}
		}
		New(query, false, g, func(string) []string { return nil })
	})
}
