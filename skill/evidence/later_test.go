package evidence_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/skill/evidence"
)

// The later set of attacks, by someone who had not read the others: what makes a quote false, and in what form a text may show it.

var laterWord = regexp.MustCompile(`[A-Za-z]{4,}`)

func replaceOne(r *rand.Rand, q, pattern string, by func(string) string) string {
	at := regexp.MustCompile(pattern).FindAllStringIndex(q, -1)
	if len(at) == 0 {
		return ""
	}
	m := at[r.IntN(len(at))]
	return q[:m[0]] + by(q[m[0]:m[1]]) + q[m[1]:]
}

func one(table string) func(string) string {
	m := map[string]string{}
	f := strings.Fields(table)
	for i := 0; i+1 < len(f); i += 2 {
		m[f[i]], m[f[i+1]] = f[i+1], f[i]
	}
	return func(s string) string { return m[s] }
}

func laterAttacks() []struct {
	name string
	make func(r *rand.Rand, q, other string) string
} {
	words := func(q string) []string { return strings.Fields(q) }
	return []struct {
		name string
		make func(r *rand.Rand, q, other string) string
	}{
		{"a digit counts one more", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `[0-8]`, func(s string) string { return string(s[0] + 1) })
		}},
		{"a decimal point moves", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `\d\.\d`, func(s string) string { return s[:1] + s[2:] })
		}},
		{"a zero behind a number", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `\d+\b`, func(s string) string { return s + "0" })
		}},
		{"a sign before a number", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, ` \d`, func(s string) string { return " -" + s[1:] })
		}},
		{"a verb is denied", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, ` (?:is|are|was|were|can|may|will|shall|has|have) `, func(s string) string { return s + "not " })
		}},
		{"a denial is gone", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, ` (?:not|no|never) `, func(string) string { return " " })
		}},
		{"a hedge is gone", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, ` (?:may|might|about|approximately|almost|nearly|usually|often|some|only|most|typically) `, func(string) string { return " " })
		}},
		{"the opposite word", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `\b(?:more|less|higher|lower|above|below|before|after|all|some|first|second|large|small|high|low|with|without|greater|smaller|start|end)\b`,
				one("more less higher lower above below before after all some first second large small high low with without greater smaller start end"))
		}},
		{"another tense", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `\b(?:is|was|are|were|has|had|can|could|will|would)\b`, one("is was are were has had can could will would"))
		}},
		{"may for shall", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `\b(?:shall|may|must|should)\b`, one("shall may must should"))
		}},
		{"two neighbours changed", func(r *rand.Rand, q, _ string) string {
			w := words(q)
			i := r.IntN(len(w) - 1)
			if w[i] == w[i+1] {
				return ""
			}
			w[i], w[i+1] = w[i+1], w[i]
			return strings.Join(w, " ")
		}},
		{"a word is gone", func(r *rand.Rand, q, _ string) string {
			w := words(q)
			i := 1 + r.IntN(len(w)-2)
			return strings.Join(append(append([]string{}, w[:i]...), w[i+1:]...), " ")
		}},
		{"a word twice", func(r *rand.Rand, q, _ string) string {
			w := words(q)
			i := 1 + r.IntN(len(w)-2)
			return strings.Join(append(append(append([]string{}, w[:i]...), w[i]), w[i:]...), " ")
		}},
		{"a made-up tail", func(_ *rand.Rand, q, _ string) string {
			return strings.TrimRight(q, ".,;: ") + ", as every later measurement confirms"
		}},
		{"a made-up head", func(_ *rand.Rand, q, _ string) string { return "It is proven that " + q }},
		{"two places in one", func(_ *rand.Rand, q, other string) string {
			a, b := words(q), words(other)
			return strings.Join(a[:len(a)/2], " ") + " " + strings.Join(b[len(b)/2:], " ")
		}},
		{"words left out with an ellipsis", func(r *rand.Rand, q, _ string) string {
			w := words(q)
			i := 2 + r.IntN(len(w)-4)
			return strings.Join(w[:i], " ") + [...]string{" ... ", " … ", " [...] ", " […] "}[r.IntN(4)] + strings.Join(w[i+1:], " ")
		}},
		{"a remark in brackets", func(r *rand.Rand, q, _ string) string {
			w := words(q)
			i := 1 + r.IntN(len(w)-2)
			return strings.Join(w[:i], " ") + " [sic, wrongly] " + strings.Join(w[i:], " ")
		}},
		{"a letter of another alphabet", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `[aeopc]`, one("a а e е o о p р c с"))
		}},
		{"an invisible character", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `[a-z][a-z]`, func(s string) string { return s[:1] + [...]string{"\u200b", "\u2060", "\u200d"}[r.IntN(3)] + s[1:] })
		}},
		{"the case of a word", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `[a-z]{3,}`, strings.ToUpper)
		}},
		{"cut within a word", func(r *rand.Rand, q, _ string) string {
			w := words(q)
			if !laterWord.MatchString(w[0]) || len(w[0]) < 5 {
				return ""
			}
			w[0] = w[0][2:]
			return strings.Join(w, " ")
		}},
		{"plural for singular", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `\b[a-z]{3,}[b-df-hj-nptvz]\b`, func(s string) string { return s + "s" })
		}},
		{"a mark within", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `[a-z] [a-z]`, func(s string) string { return s[:1] + ";" + s[1:] })
		}},
		{"another comparison", func(r *rand.Rand, q, _ string) string {
			return replaceOne(r, q, `[<>=≤≥]`, one("< > = ≠ ≤ ≥"))
		}},
	}
}

// forms show a quote within a text as the words of the source. key is the citation.
func laterForms() []struct {
	name string
	make func(q string) string
} {
	line := func(q string) string { return strings.Join(strings.Fields(q), " ") }
	in := func(open, close string) func(string) string {
		return func(q string) string { return "The source says: " + open + line(q) + close + " [D1].\n" }
	}
	return []struct {
		name string
		make func(q string) string
	}{
		{"straight", in(`"`, `"`)}, {"curly", in("“", "”")}, {"guillemets", in("«", "»")}, {"French with blanks", in("« ", " »")}, {"French, narrow blanks", in("«\u202f", "\u202f»")},
		{"German", in("„", "“")}, {"Swedish", in("”", "”")}, {"guillemets inwards", in("»", "«")}, {"curly single", in("‘", "’")}, {"straight single", in("'", "'")}, {"angles", in("‹", "›")}, {"corners", in("「", "」")},
		{"wide", in("＂", "＂")}, {"TeX", in("``", "''")}, {"entities", in("&quot;", "&quot;")}, {"curly entities", in("&ldquo;", "&rdquo;")}, {"numbered entities", in("&#34;", "&#34;")}, {"element q", in("<q>", "</q>")}, {"element blockquote", in("\n<blockquote>", "</blockquote>\n")},
		{"mixed", in("“", `"`)}, {"blanks within", in(`" `, ` "`)}, {"bold", in(`**"`, `"**`)}, {"escaped", in(`\"`, `\"`)},
		{"no blank before", func(q string) string { return `The source says"` + line(q) + `" [D1].` }},
		{"no blank behind", func(q string) string { return `The source says "` + line(q) + `"and more [D1].` }},
		{"parentheses", func(q string) string { return `It is known ("` + line(q) + `") since long [D1].` }},
		{"block quote", func(q string) string { return "The source says [D1]:\n\n> " + line(q) + " [D1]\n" }},
		{"block quote, key below", func(q string) string { return "> " + line(q) + "\n>\n> [D1]\n" }},
		{"block quote, wrapped", func(q string) string {
			w := strings.Fields(q)
			return "> " + strings.Join(w[:len(w)/2], " ") + "\n> " + strings.Join(w[len(w)/2:], " ") + " [D1]\n"
		}},
		{"block quote, lazy", func(q string) string {
			w := strings.Fields(q)
			return "> " + strings.Join(w[:len(w)/2], " ") + "\n" + strings.Join(w[len(w)/2:], " ") + " [D1]\n"
		}},
		{"block quote in a list", func(q string) string { return "- > " + line(q) + " [D1]\n" }},
		{"indented block quote", func(q string) string { return "   > " + line(q) + " [D1]\n" }},
		{"no key, but in the next", func(q string) string { return `The source says "` + line(q) + `". It holds in general [D1].` }},
		{"no key, but in the one before", func(q string) string { return `It holds in general [D1]. The source says "` + line(q) + `".` }},
		{"table", func(q string) string {
			return "| claim | key |\n|---|---|\n| \"" + strings.ReplaceAll(line(q), "|", "") + "\" | [D1] |\n"
		}},
		{"heading", func(q string) string { return `## "` + line(q) + `" [D1]` + "\n" }},
		{"link text", func(q string) string { return `See ["` + line(q) + `"](https://example.org/x) [D1].` }},
		{"title of a link", func(q string) string { return `See [the source](https://example.org/x "` + line(q) + `") [D1].` }},
		{"footnote", func(q string) string { return "It holds[^1] [D1].\n\n[^1]: \"" + line(q) + "\" [D1]\n" }},
		{"list", func(q string) string { return "- \"" + line(q) + "\" [D1]\n" }},
		{"within another quote", func(q string) string { return `The source says "they write '` + line(q) + `' there" [D1].` }},
		{"over two paragraphs", func(q string) string {
			w := strings.Fields(q)
			return `The source says "` + strings.Join(w[:len(w)/2], " ") + " [D1]\n\n" + strings.Join(w[len(w)/2:], " ") + `" [D1].`
		}},
		{"never closed", func(q string) string { return `The source says "` + line(q) + " [D1].\n" }},
		{"behind a comment", func(q string) string { return `<!-- x --> The source says "` + line(q) + `" [D1].` }},
		{"key within", func(q string) string { return `The source says "` + line(q) + ` [D1]".` }},
		{"emphasis within", func(q string) string {
			w := strings.Fields(q)
			w[1] = "*" + w[1] + "*"
			return `The source says "` + strings.Join(w, " ") + `" [D1].`
		}},
	}
}

// bareLetters is a page without anything that typesetting may change.
func bareLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' || r == '\u00ad' || r == '\u2010' {
			return -1
		}
		return r
	}, strings.NewReplacer("ﬁ", "fi", "ﬂ", "fl", "ﬀ", "ff", "ﬃ", "ffi", "ﬄ", "ffl").Replace(s))
}

func laterPages(t *testing.T, pages []string, r *rand.Rand, quote, text, good *report) {
	for n, page := range pages {
		at := evidence.Place{Doc: "d", Page: n + 1}
		src := pageSource{at: page}
		bare := bareLetters(page)
		var qs []string
		for _, q := range trueQuotes(page, 60) {
			if !strings.ContainsAny(q, "[]\"“”'’‘`«»*_>|<") && len(strings.Fields(q)) >= 7 {
				qs = append(qs, q)
			}
		}
		for i, q := range qs {
			if i >= 3 {
				break
			}
			led := evidence.NewLedger()
			it := led.Add(evidence.Item{Text: page, At: at})
			check := func(s string) error {
				return evidence.JoinTextErrors(evidence.CheckText(t.Context(), led, s, &evidence.CheckOptions{EveryClaim: true, Quotes: true, Source: src}))
			}
			other := qs[(i+len(qs)/2)%len(qs)]
			var falseOnes []string
			for _, a := range laterAttacks() {
				f := a.make(r, q, other)
				if f == "" || f == q || strings.Join(strings.Fields(f), " ") == strings.Join(strings.Fields(q), " ") {
					continue
				}
				if strings.Contains(bare, bareLetters(f)) && a.name != "cut within a word" {
					continue // it happens to stand there
				}
				err := evidence.VerifyQuote(t.Context(), src, it, f)
				quote.add(a.name, err != nil, fmt.Sprintf("%q of %q", f, q))
				if !strings.ContainsAny(f, "[]…") && !strings.Contains(f, "...") {
					falseOnes = append(falseOnes, f)
				}
				err = check(`The source says "` + strings.Join(strings.Fields(f), " ") + `" [D1].`)
				text.add("attack: "+a.name, err != nil, fmt.Sprintf("%q", f))
			}
			for _, form := range laterForms() {
				if len(falseOnes) > 0 {
					f := falseOnes[r.IntN(len(falseOnes))]
					s := form.make(f)
					text.add("form: "+form.name, check(s) != nil, s)
				}
			}
			for _, n := range [][2]string{
				{"as it stands", q}, {"one line", strings.Join(strings.Fields(q), " ")}, {"two blanks", strings.Join(strings.Fields(q), "  ")},
				{"fixed blanks", strings.Join(strings.Fields(q), "\u00a0")}, {"ligatures", strings.NewReplacer("ffi", "ﬃ", "ff", "ﬀ", "fi", "ﬁ", "fl", "ﬂ").Replace(q)},
				{"lines of one word", strings.Join(strings.Fields(q), "\n")}, {"thin blanks", strings.Join(strings.Fields(q), "\u2009")},
				{"without its stop", strings.TrimRight(q, ".")},
			} {
				name, noise := n[0], n[1]
				good.add("quote: "+name, evidence.VerifyQuote(t.Context(), src, it, noise) == nil, fmt.Sprintf("%q", noise))
			}
			for _, form := range laterForms() {
				switch form.name {
				case "straight", "curly", "guillemets", "French with blanks", "curly single", "German", "block quote", "block quote, key below", "block quote, wrapped", "block quote in a list", "table", "list", "bold":
					s := form.make(q)
					err := check(s)
					good.add("form: "+form.name, err == nil, fmt.Sprintf("%s: %v", s, err))
				}
			}
		}
	}
}

func TestLaterAttacks(t *testing.T) {
	r := rand.New(rand.NewPCG(20261122, 7))
	var quote, text, good report
	papers, err := filepath.Glob("../../examples/testdata/papers/*.pdf")
	if err != nil || len(papers) == 0 {
		t.Fatal(err, papers)
	}
	for _, p := range papers {
		laterPages(t, readPages(t, p, 8), r, &quote, &text, &good)
	}
	laterCompare(t, "testdata/later.txt", &quote, &text, &good)
}

func TestLaterAttacksOnPublicPapers(t *testing.T) {
	need.NoRace(t)
	if testing.Short() {
		t.Skip("reads twenty PDFs")
	}
	all, err := filepath.Glob(filepath.Join(need.Shared(t, "pdf"), "corpus", "*.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(31337, 11))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var quote, text, good report
	for n, p := 0, 0; n < 20 && p < len(all); p++ {
		if st, err := os.Stat(all[p]); err != nil || st.Size() > 2<<20 {
			continue
		}
		before := good.of["quote: one line"]
		laterPages(t, readPages(t, all[p], 6), r, &quote, &text, &good)
		if good.of["quote: one line"] > before {
			n++
		}
	}
	laterCompare(t, "testdata/later-shared.txt", &quote, &text, &good)
}

func laterCompare(t *testing.T, file string, quote, text, good *report) {
	for _, rep := range []*report{quote, text, good} {
		for _, o := range rep.odd {
			t.Log(o)
		}
	}
	golden.Compare(t, file, []byte("refused by VerifyQuote\n"+quote.String()+"\nrefused by CheckText\n"+text.String()+"\naccepted, true\n"+good.String()))
}
