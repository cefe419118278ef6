package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// show writes tokens as "part+part|whole".
func show(ts []Token) []string {
	var out []string
	for _, t := range ts {
		var parts []string
		for _, p := range t.Parts {
			parts = append(parts, p.Term)
		}
		s := strings.Join(parts, "+")
		if t.Whole != "" {
			s += "|" + t.Whole
		}
		if t.Stop {
			s += " (stop)"
		}
		out = append(out, s)
	}
	return out
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"the detection", []string{"the (stop)", "detect"}},
		{"maxNrofSSBs-1", []string{"max+nrof+ssbs+1|maxnrofssbs-1"}},
		{"RRC_CONNECTED", []string{"rrc+connect|rrc_connected"}},
		{"TS 38.331, 5.3.5.3.", []string{"ts", "38+331|38.331", "5+3+5+3|5.3.5.3"}},
		{"SIB1 and 5G", []string{"sib+1|sib1", "and (stop)", "5g"}},
		{"HTTPServer", []string{"http+server|httpserver"}},
		{"detec-\ntion of", []string{"detect|detec-tion", "of (stop)"}},
		{"cross-correlation", []string{"cross+correl|cross-correlation"}},
		{"end-\n\nnext", []string{"end", "next"}},
		{"a - b", []string{"a (stop)", "b"}},
		{"don't model's", []string{"dont", "model"}},
		{"ﬁnal Ångström", []string{"final", "angstrom"}},
		{"__init__", []string{"init"}},
		{"同步 signal", []string{"同", "步", "signal"}},
		{"foo.", []string{"foo"}},
		{"std::move a:b", []string{"std", "move", "a+b|a:b"}},
	} {
		if diff := cmp.Diff(tt.want, show(Tokens(tt.in))); diff != "" {
			t.Errorf("Tokens(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestSplitIdent(t *testing.T) {
	if diff := cmp.Diff([]string{"max", "nrof", "ssbs", "1"}, SplitIdent("maxNrofSSBs-1")); diff != "" {
		t.Errorf("SplitIdent (-want +got):\n%s", diff)
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"maxNrofSSBs-1", "detec-\ntion-x", "a_b.c:d", "İstanbul ﬁ\u00ad", "x’s", "\xff\xfea-\nb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, tok := range Tokens(s) {
			if tok.Start < last || tok.End > len(s) || tok.Start >= tok.End || len(tok.Parts) == 0 {
				t.Fatalf("token %+v after offset %d of %d bytes", tok, last, len(s))
			}
			for _, p := range tok.Parts {
				if p.Start < tok.Start || p.End > tok.End || p.Start >= p.End {
					t.Fatalf("part %+v outside its token %+v", p, tok)
				}
				if !utf8.ValidString(p.Term) && utf8.ValidString(s) {
					t.Fatalf("part %+v is not UTF-8", p)
				}
			}
			last = tok.End
		}
		if a := Fold(s); utf8.ValidString(s) && Fold(a) != a {
			t.Fatalf("Fold is not stable on %q: %q then %q", s, a, Fold(a))
		}
	})
}
