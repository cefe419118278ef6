package structure

import (
	"math"
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/internal/clause"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// Front is what the first pages say of the document: the lines of the title, the people and places below it, the abstract.
type Front struct {
	title        string
	lines        []int // of the first page, those of the title; none where the title is a guess
	after        int   // the first line after it
	size         float64
	last         int // number of lines with text up to the last one that names people; -1: none
	authors      []string
	institutions []string
	abstract     string
	date         string // ISO 8601
}

var (
	masthead  = lazyregexp.New(`(?i)^(the )?(journal of|proceedings|proc\.|ieee transactions|acm transactions|communications of|transactions on|international journal|lecture notes|annals of|volume|vol\.|issn|doi|https?:|www\.|arxiv|available online|contents lists|research article|original (research|article|paper)|review article|open access|technical report|tr-?\d|journal|preprint|draft|published as|appeared in|to appear|appears in|etsi$|3gpp$|technical specification$|technical report$)`)
	organWord = lazyregexp.New(`(?i)\b(universit\w*|universidad\w*|università|université|univ\.?|institut\w*|laborator\w*|labs?|college|school|academy|académie|faculty|fakultät|department|dept\.?|departamento|dipartimento|corporation|corp\.?|inc\.?|ltd\.?|gmbh|llc|research|centre|center|hochschule|polytechni\w*|école|eth|mit|caltech|inria|cnrs|nasa|google|microsoft|facebook|ibm|intel|amazon|apple|yahoo|twitter|oracle|hewlett|project|nokia|ericsson|bell|at&t|digital equipment|division|group|company|ministry|agency|bureau|observatory|museum|station|council|association|consortium|society|foundation|hospital|clinic|organization|organisation|max-planck\S*|fraunhofer\S*|kit|epfl|tu)\b`)
	strongOrg = lazyregexp.New(`(?i)\b(universit\w*|universidad\w*|università|université|univ\.?|institut\w*|laborator\w*|labs|college|academy|corporation|corp\.?|inc\.?|ltd\.?|gmbh|llc|hochschule|polytechni\w*|école|eth|mit|caltech|inria|cnrs|nasa|google|microsoft|facebook|ibm|intel|amazon|apple|yahoo|twitter|oracle|nokia|ericsson|bell|at&t|research cent\w+|research|company|ministry|agency|fraunhofer\S*|max-planck\S*|kit|epfl|tu)\b`)
	notName   = lazyregexp.New(`(?i)\b(abstract|thesis|report|technical|submitted|university|department|introduction|draft|version|proceedings|conference|workshop|journal|copyright|ieee|acm|member|fellow|student|email|e-mail|tel|fax|street|avenue|road|box|usa|germany|france|canada|china|japan|india|kingdom|italy|spain|switzerland|netherlands|research|science|sciences|engineering|computer|computing|systems|supervisor|advisor|betreuer|prof|professor|january|february|march|april|may|june|july|august|september|october|november|december|keywords|contents|chapter|section|volume|release|specification|group|stage|part|edition|press|publisher|page|figure|table|appears|presented|symposium|international|institute|laboratory|labs?|school|college|bachelor|master|mathematics|physics|informatics|technology|dissertation|doctor|philosophy|doi|http|www|corporation|inc|permission|notice|reserved|rights|article|paper|project|program|manual|guide|overview|tutorial|lecture|notes|course|seminar|summer|winter|spring|fall|new york|san francisco|california|park|united|states)\b`)
	titles    = lazyregexp.New(`(?i)^(dr\.?|prof\.?|professor|mr\.?|ms\.?|mrs\.?|sir|dipl\.?-?\w*\.?|ph\.?\s?d\.?|m\.?sc\.?|b\.?sc\.?)$`)
	degree    = lazyregexp.New(`(?i)^(senior |student |graduate |life )*(member|fellow)|^(ieee|acm|ph\.?\s?d\.?|m\.?d\.?|m\.?sc\.?|jr\.?|sr\.?|iii?)$`)
	byLine    = lazyregexp.New(`(?i)^(written by|submitted by|vorgelegt von|presented by|edited by|authors?|autor(en)?|by|von|par|de)\s*:?\s+`)
	mailWord  = lazyregexp.New(`\S*@\S+|\{[^}]*\}|https?:\S+|www\.\S+`)
)

// readFront reads the first page, and more where the abstract stands later. given is the title that the document states; "" for none.
func readFront(pages Pages, given string) Front {
	fr := Front{last: -1}
	c := pages.Read(1)
	if c == nil {
		return fr
	}
	if !fr.cover(c.Lines) {
		fr.findTitle(c, given)
		fr.people(c)
	}
	findAbstract(&fr, pages, c)
	if fr.date == "" {
		fr.date = pageDate(c)
	}
	return fr
}

// textSize is the letter size that most of a page is set in.
func textSize(lines []layout.Line) float64 {
	count := map[int]int{}
	best := 0
	for i := range lines {
		k := int(math.Round(lines[i].Size * 4))
		count[k] += len(lines[i].Text)
		if n := count[k]; n > count[best] || n == count[best] && k < best {
			best = k
		}
	}
	return math.Max(float64(best)/4, 1)
}

// LetterCount counts the letters of a text.
func LetterCount(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// findTitle finds the lines of the title: those that say what the document states, else the largest ones in the upper part.
func (fr *Front) findTitle(c *Page, given string) {
	lines := c.Lines
	if want := Squash(given); len(want) >= 6 {
		for i := range lines {
			if lines[i].Dx < .99 || lines[i].Base > .8*c.Height {
				continue
			}
			got := ""
			for n := 0; n < 5 && i+n < len(lines); n++ {
				if n > 0 && math.Abs(lines[i+n].Size-lines[i].Size) > .25*lines[i].Size {
					break
				}
				got += Squash(lines[i+n].Text)
				if got == want || len(got) > 12 && len(got)*10 > len(want)*8 && strings.HasPrefix(want, got) && n == 4 {
					fr.title, fr.size = given, lines[i].Size
					for k := i; k <= i+n; k++ {
						fr.lines = append(fr.lines, k)
					}
					fr.after = i + n + 1
					return
				}
				if !strings.HasPrefix(want, got) {
					break
				}
			}
		}
	}
	type group struct {
		from, to int
		size     float64
		step     float64 // between its last two lines
		text     string
	}
	var groups []group
	for i := 0; i < len(lines); i++ {
		l := &lines[i]
		t := strings.TrimSpace(l.Text)
		if l.Dx < .99 || LetterCount(t) < 3 || l.Base > .72*c.Height || masthead.MatchString(t) && len(t) < 90 {
			continue
		}
		if n, bare, ok := clause.Parse(t); ok && n.Point && n.Kind == clause.Decimal && n.Depth == 1 || clause.Known(bare) {
			continue // the first section
		}
		g := group{from: i, to: i, size: l.Size, text: t}
		for k := i + 1; k < len(lines) && g.to-g.from < 5; k++ {
			n, p := &lines[k], &lines[k-1]
			if strings.TrimSpace(n.Text) == "" {
				continue
			}
			if k > i+1 && g.step > 0 && n.Base-p.Base > 1.35*g.step {
				break // a wider step: the authors
			}
			g.step = n.Base - p.Base
			if math.Abs(n.Size-l.Size) > .06*l.Size || n.Dx < .99 || n.Base-p.Base > 2.1*l.Size || n.Base < p.Base-.5*l.Size || layout.IsBold(n) != layout.IsBold(l) {
				break
			}
			g.to = k
			g.text = reflow(g.text + "\n" + n.Text)
		}
		groups = append(groups, g)
		i = g.to
	}
	best := -1
	for i, g := range groups {
		if len(strings.Fields(g.text)) < 2 && LetterCount(g.text) < 8 && len(groups) > 1 && g.size < 20 {
			continue
		}
		if best < 0 || g.size > groups[best].size*1.03 {
			best = i
		}
	}
	if best < 0 {
		return
	}
	g := groups[best]
	body := textSize(lines)
	sure := g.size >= 1.1*body
	if given != "" {
		sure = g.size >= 1.3*body
	}
	if n, t, ok := clause.Parse(g.text); ok && (n.Kind == clause.Decimal || n.Point) || clause.Known(t) {
		sure = false // the first section
	}
	if g.size < 1.1*body {
		// No large type: the first lines in capitals or bold, if they stand apart.
		if first := groups[0]; (layout.IsBold(&lines[first.from]) || allCaps(first.text)) && first.to-first.from < 4 {
			g = first
			sure = given == ""
		} else if best > 0 || g.to-g.from > 2 {
			g = groups[0]
			g.to = g.from
			g.text = strings.TrimSpace(lines[g.from].Text)
		}
	}
	fr.size = g.size
	fr.title = strings.TrimRight(inline.SpellLigatures(encoding.Clean(g.text)), "*∗†‡ ")
	if r := []rune(fr.title); len(r) > 300 {
		fr.title = string(r[:300])
	}
	fr.after = g.to + 1
	for k := g.from; k <= g.to && sure; k++ {
		fr.lines = append(fr.lines, k)
	}
}

var (
	specNumber  = lazyregexp.New(`(?:3GPP|ETSI)\s+(T[SR])\s+(\d{2,3}[ .]\d{3}(?:-\d+)?)\s+V(\d+\.\d+\.\d+)\s+\((\d{4}-\d{2})\)`)
	specRelease = lazyregexp.New(`\(?(?:3GPP T[SR] [\d.]+ version [\d.]+ )?\(?Release (\d{1,2}|\d{4})\)`)
)

// cover reads the cover of a 3GPP or ETSI specification: its number and date, the groups and titles, the release.
func (fr *Front) cover(lines []layout.Line) bool {
	number, date := "", ""
	from, to := -1, -1
	for i := range lines {
		t := encoding.Clean(lines[i].Text)
		if m := specNumber.FindStringSubmatch(t); m != nil && number == "" {
			number, date = m[1]+" "+m[2]+" V"+m[3], m[4]
			if from < 0 {
				from = i + 1
			}
		}
		if strings.HasPrefix(t, "3rd Generation Partnership Project") {
			from = i + 1
		}
		if number != "" && specRelease.MatchString(t) {
			to = i
			break
		}
		if i > 60 {
			break
		}
	}
	if number == "" || to < from || from < 0 {
		return false
	}
	var parts []string
	for i := from; i <= to; i++ {
		t := encoding.Clean(lines[i].Text)
		switch {
		case t == "" || LetterCount(t) < 2 || strings.EqualFold(t, "technical specification") || strings.EqualFold(t, "technical report"):
			continue
		case specRelease.MatchString(t):
			t = "(Release " + specRelease.FindStringSubmatch(t)[1] + ")"
		}
		fr.lines, fr.after = append(fr.lines, i), i+1
		parts = append(parts, t)
	}
	for i := range lines { // what stands on a cover is no section
		if strings.TrimSpace(lines[i].Text) != "" && i < fr.after {
			fr.last++
		}
	}
	fr.title = number + ": " + strings.Join(parts, " ")
	fr.date = date
	fr.institutions = []string{"3GPP"}
	if strings.HasPrefix(encoding.Clean(lines[0].Text), "ETSI") {
		fr.institutions = []string{"ETSI", "3GPP"}
	}
	return true
}
