package structure

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/internal/clause"
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
	masthead  = regexp.MustCompile(`(?i)^(the )?(journal of|proceedings|proc\.|ieee transactions|acm transactions|communications of|transactions on|international journal|lecture notes|annals of|volume|vol\.|issn|doi|https?:|www\.|arxiv|available online|contents lists|research article|original (research|article|paper)|review article|open access|technical report|tr-?\d|journal|preprint|draft|published as|appeared in|to appear|appears in|etsi$|3gpp$|technical specification$|technical report$)`)
	stampDate = regexp.MustCompile(`(?:\[[\w.-]+\]\s+)(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* (\d{4})`)
	organWord = regexp.MustCompile(`(?i)\b(universit\w*|universidad\w*|università|université|univ\.?|institut\w*|laborator\w*|labs?|college|school|academy|académie|faculty|fakultät|department|dept\.?|departamento|dipartimento|corporation|corp\.?|inc\.?|ltd\.?|gmbh|llc|research|centre|center|hochschule|polytechni\w*|école|eth|mit|caltech|inria|cnrs|nasa|google|microsoft|facebook|ibm|intel|amazon|apple|yahoo|twitter|oracle|hewlett|project|nokia|ericsson|bell|at&t|digital equipment|division|group|company|ministry|agency|bureau|observatory|museum|station|council|association|consortium|society|foundation|hospital|clinic|organization|organisation|max-planck\S*|fraunhofer\S*|kit|epfl|tu)\b`)
	strongOrg = regexp.MustCompile(`(?i)\b(universit\w*|universidad\w*|università|université|univ\.?|institut\w*|laborator\w*|labs|college|academy|corporation|corp\.?|inc\.?|ltd\.?|gmbh|llc|hochschule|polytechni\w*|école|eth|mit|caltech|inria|cnrs|nasa|google|microsoft|facebook|ibm|intel|amazon|apple|yahoo|twitter|oracle|nokia|ericsson|bell|at&t|research cent\w+|research|company|ministry|agency|fraunhofer\S*|max-planck\S*|kit|epfl|tu)\b`)
	notName   = regexp.MustCompile(`(?i)\b(abstract|thesis|report|technical|submitted|university|department|introduction|draft|version|proceedings|conference|workshop|journal|copyright|ieee|acm|member|fellow|student|email|e-mail|tel|fax|street|avenue|road|box|usa|germany|france|canada|china|japan|india|kingdom|italy|spain|switzerland|netherlands|research|science|sciences|engineering|computer|computing|systems|supervisor|advisor|betreuer|prof|professor|january|february|march|april|may|june|july|august|september|october|november|december|keywords|contents|chapter|section|volume|release|specification|group|stage|part|edition|press|publisher|page|figure|table|appears|presented|symposium|international|institute|laboratory|labs?|school|college|bachelor|master|mathematics|physics|informatics|technology|dissertation|doctor|philosophy|doi|http|www|corporation|inc|permission|notice|reserved|rights|article|paper|project|program|manual|guide|overview|tutorial|lecture|notes|course|seminar|summer|winter|spring|fall|new york|san francisco|california|park|united|states)\b`)
	titles    = regexp.MustCompile(`(?i)^(dr\.?|prof\.?|professor|mr\.?|ms\.?|mrs\.?|sir|dipl\.?-?\w*\.?|ph\.?\s?d\.?|m\.?sc\.?|b\.?sc\.?)$`)
	degree    = regexp.MustCompile(`(?i)^(senior |student |graduate |life )*(member|fellow)|^(ieee|acm|ph\.?\s?d\.?|m\.?d\.?|m\.?sc\.?|jr\.?|sr\.?|iii?)$`)
	byLine    = regexp.MustCompile(`(?i)^(written by|submitted by|vorgelegt von|presented by|edited by|authors?|autor(en)?|by|von|par|de)\s*:?\s+`)
	mailWord  = regexp.MustCompile(`\S*@\S+|\{[^}]*\}|https?:\S+|www\.\S+`)
)

// particles may stand in lower case within a name.
var particles = map[string]bool{"van": true, "von": true, "de": true, "der": true, "den": true, "del": true, "della": true, "di": true, "da": true, "dos": true, "du": true,
	"la": true, "le": true, "ten": true, "ter": true, "bin": true, "ibn": true, "al": true, "el": true, "zu": true, "zur": true, "af": true, "y": true, "e": true}

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

// people reads authors and institutions off the lines between the title and the text.
func (fr *Front) people(c *Page) {
	if fr.after == 0 {
		return
	}
	lines := c.Lines
	body := textSize(lines)
	st := &Style{BodySize: body}
	at := fr.after
	type look struct {
		font *font.Font
		size int
	}
	var names, places look
	lookAt := func(l *layout.Line) look { return look{l.Font, int(math.Round(l.Size * 4))} }
	var last *layout.Line
	afterPlace := false
	useful := -1 // last line that named somebody
	defer func() {
		if len(fr.authors) == 0 {
			return
		}
		for i := 0; i <= useful && i < len(lines); i++ {
			if strings.TrimSpace(lines[i].Text) != "" {
				fr.last++
			}
		}
	}()
	for n := 0; at < len(lines) && n < 80; at, n = at+1, n+1 {
		l := &lines[at]
		plain := encoding.Clean(l.Text)
		if plain == "" || l.Dx < .99 {
			continue
		}
		if last != nil && l.Base > .8*c.Height && last.Base < .6*c.Height {
			break
		}
		title := strings.TrimRight(plain, ".:—– ")
		if n, t, ok := clause.Parse(title); ok && (clause.Known(t) || n.Point && len(fr.authors) > 0 && l.Font != names.font) || clause.Known(title) ||
			strings.HasPrefix(strings.ToLower(plain), "abstract") || strings.HasPrefix(strings.ToLower(plain), "keywords") {
			break
		}
		if runningText(plain) || len(fr.authors) > 0 && proseStart(plain) && !strings.Contains(plain, "@") {
			break
		}
		if _, t, ok := clause.Parse(plain); ok && t != "" && (l.Size > 1.1*body || layout.IsBold(l)) && !strings.ContainsAny(t, ",@") && DateLine(plain) == "" {
			break // the first section
		}
		gap := last != nil && (l.Base-last.Base > 1.7*l.Size || l.Base < last.Base-.5*l.Size || l.Box.X0 > last.Box.X1+l.Size && math.Abs(l.Base-last.Base) < l.Size)
		if gap {
			afterPlace = false
		}
		last = l
		mail := strings.Contains(plain, "@")
		org, lead, more := "", "", false
		put := func() {
			fr.addInstitution(org)
			org, more = "", false
		}
		for _, part := range nameParts(st, l) {
			if strings.HasPrefix(part, ";") {
				put()
				part = part[1:]
			}
			part = strings.TrimSpace(mailWord.ReplaceAllString(part, " "))
			switch {
			case part == "" || degree.MatchString(part):
			case organWord.MatchString(part) && !(len(fr.authors) == 0 && plausibleName(part) && !strongOrg.MatchString(part)):
				places = lookAt(l)
				afterPlace, useful = true, at
				if org != "" {
					org += ", "
				}
				org += lead + part
				lead, more = "", campus.MatchString(part)
			case plausibleName(part):
				k := lookAt(l)
				if len(fr.authors) > 0 && (afterPlace && (k == places || k != names) || k != names && k == places && !gap || k != names && math.Abs(float64(k.size-names.size)) > 6) {
					continue // a town or a street
				}
				if len(fr.authors) == 0 {
					names = k
				}
				useful = at
				if len(fr.authors) < 60 && !slices.Contains(fr.authors, part) {
					fr.authors = append(fr.authors, part)
				}
			default:
				if DateLine(plain) != "" && len(fr.authors) > 0 {
					useful = at
				}
				if more && LetterCount(part)+strings.Count(part, " ") == utf8.RuneCountInString(part) && len(part) < 20 {
					org += ", " + part
				}
				put()
				lead = ""
				if !strings.ContainsAny(part, "0123456789@") && useful >= 0 {
					lead = part + ", " // "Trolltech, a Nokia company"
				}
				if !mail && len(fr.authors) > 0 && lookAt(l) != names {
					afterPlace = true
				}
			}
		}
		put()
		if mail {
			useful = at
			afterPlace = false
		}
	}
}

// runningText reports whether a line is running text.
func runningText(s string) bool {
	words := strings.Fields(s)
	if hans := strings.Count(strings.Map(func(r rune) rune {
		if wide(r) {
			return 'x'
		}
		return -1
	}, s), "x"); hans > 18 {
		return true
	}
	lower := 0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) {
			lower++
		}
	}
	return len(words) >= 8 && lower*10 >= len(words)*6
}

// nameParts cuts a line of names at commas, "and" and wide gaps; raised marks are left out. A part after more than a comma
// begins with a semicolon.
func nameParts(st *Style, l *layout.Line) []string {
	var b strings.Builder
	for i := range l.Segs {
		if i > 0 {
			gap := l.Segs[i].Box.X0 - l.Segs[i-1].Box.X1
			if gap > 1.1*l.Size {
				b.WriteString(";")
			} else {
				b.WriteString(" ")
			}
		}
		one := *l
		one.Segs = l.Segs[i : i+1]
		for _, s := range st.Spans(&one) {
			if s.Face&(inline.Superscript|inline.Subscript) != 0 && LetterCount(s.Text) < 4 {
				if strings.HasSuffix(s.Text, " ") {
					b.WriteString(" ")
				}
				continue
			}
			b.WriteString(s.Text)
		}
	}
	s := byLine.ReplaceAllString(strings.TrimSpace(b.String()), "")
	if first, _, _ := strings.Cut(s, ","); strings.Contains(s, " and ") && organWord.MatchString(s) && !plausibleName(strings.TrimSpace(first)) {
		s = strings.ReplaceAll(s, " and ", "\x00") // "Physics and Astronomy"
	}
	s = betweenNames.Replace(" " + s + " ")
	s = strings.TrimSpace(strings.ReplaceAll(s, "\x00", " and "))
	s = strings.TrimPrefix(strings.TrimPrefix(s, "and "), "& ")
	var out []string
	for i, p := range strings.Split(strings.ReplaceAll(s, ";", ",;"), ",") {
		head := ""
		if strings.HasPrefix(p, ";") && i > 0 {
			head = ";"
		}
		p = strings.TrimFunc(p, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsDigit(r) || strings.ContainsRune(";*∗†‡§¶#()[]{}:\"\uFFFD", r)
		})
		words := strings.Fields(p)
		for len(words) > 0 && titles.MatchString(words[0]) {
			words = words[1:]
		}
		if len(words) > 0 {
			out = append(out, head+strings.Join(words, " "))
		}
	}
	return out
}

// betweenNames puts a semicolon for what divides names.
var betweenNames = strings.NewReplacer(" and ", ";", " und ", ";", " & ", ";", " AND ", ";", " et ", ";", "·", ";", "•", ";", "|", ";", " — ", ";", "/", ";")

// plausibleName reports whether s looks like the name of a person: two to five words that begin with capitals.
func plausibleName(s string) bool {
	words := strings.Fields(s)
	if n := utf8.RuneCountInString(s); len(words) == 1 && n >= 2 && n <= 4 && strings.IndexFunc(s, func(r rune) bool { return !unicode.In(r, unicode.Han, unicode.Hangul) }) < 0 {
		return true
	}
	if len(words) < 2 || len(words) > 5 || utf8.RuneCountInString(s) > 45 || notName.MatchString(s) || strings.ContainsAny(s, "0123456789@:?!=/\\<>[]{}+_%$") {
		return false
	}
	long := 0
	for i, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		n := LetterCount(w)
		switch {
		case particles[strings.ToLower(w)] && i+1 < len(words):
		case !unicode.IsLetter(r) || n == 0:
			return false
		case unicode.IsLower(r):
			return false
		default:
			if n >= 2 {
				long++
			}
		}
	}
	last := words[len(words)-1]
	return long >= 1 && LetterCount(last) >= 2 && !organWord.MatchString(s)
}

// campus matches universities that need the place after them.
var campus = regexp.MustCompile(`(?i)university of (california|illinois|texas|wisconsin|maryland|massachusetts|michigan|north carolina|colorado|minnesota)$`)

// backMatter begins what stands below an abstract.
var backMatter = regexp.MustCompile(`(?i)^(keywords|key words|index terms|categories and|general terms|ccs concepts|acm classification)`)

// addInstitution keeps the part of an affiliation that names the organisation.
func (fr *Front) addInstitution(s string) {
	s = strings.Trim(encoding.Clean(s), " .,;:*∗†‡§¶")
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsLower(first) || strings.HasSuffix(s, "-") {
		return // a piece of running text
	}
	if n := utf8.RuneCountInString(s); n < 3 || n > 120 || runningText(s) || len(fr.institutions) >= 30 || slices.ContainsFunc(fr.institutions, func(t string) bool { return strings.EqualFold(s, t) }) {
		return
	}
	fr.institutions = append(fr.institutions, s)
}

// abstractPages is how far the abstract of a long document may be from its beginning.
const abstractPages = 8

// findAbstract finds the abstract by its heading, on the first two pages or, in a long document, on the first few. Without a heading it
// is the text between the authors and the first section.
func findAbstract(fr *Front, pages Pages, first *Page) {
	most := 2
	if pages.Count >= 20 {
		most = abstractPages
	}
	text := layout.Text(first.Lines)
	for n := 1; ; {
		if start, end := docsearch.FindAbstract(text); start < end {
			fr.abstract = reflow(text[start:end])
			return
		}
		if n == 1 {
			if s := fr.unheaded(first); s != "" {
				fr.abstract = s
				return
			}
		}
		if n++; n > min(most, pages.Count) {
			return
		}
		c := pages.Read(n)
		if c == nil {
			return
		}
		// A later page is looked at on its own: what follows its heading may go on to the next one.
		if text = layout.Text(c.Lines); n == 2 {
			text = layout.Text(first.Lines) + text
		}
	}
}

// unheaded returns the prose between the title and the first section of the first page, if there is a section.
func (fr *Front) unheaded(c *Page) string {
	if fr.after == 0 || len(fr.authors) == 0 {
		return ""
	}
	var text strings.Builder
	useful := len(c.Lines) // last line that names somebody
	for i, n := 0, -1; i < len(c.Lines); i++ {
		if strings.TrimSpace(c.Lines[i].Text) != "" {
			if n++; n == fr.last {
				useful = i
			}
		}
	}
	started := false
	words := 0
	for at := fr.after; at < len(c.Lines); at++ {
		t := encoding.Clean(c.Lines[at].Text)
		if c.Lines[at].Dx < .99 || t == "" {
			continue
		}
		title := strings.TrimRight(t, ".:")
		_, bare, ok := clause.Parse(title)
		switch {
		case !started && (ok && bare != "" && layout.IsBold(&c.Lines[at]) || clause.Known(bare)):
			return "" // the first section follows the names at once
		case started && (ok && (layout.IsBold(&c.Lines[at]) || allCaps(bare)) || clause.Known(bare)):
			if words >= 30 && words <= 500 {
				return reflow(text.String())
			}
			return ""
		case started && backMatter.MatchString(t):
			if words >= 30 {
				return reflow(text.String())
			}
			return ""
		case runningText(t) || at > useful && proseStart(t):
			started = true
		}
		if started {
			if words += len(strings.Fields(t)); words > 500 {
				return ""
			}
			text.WriteString(t + "\n")
		}
	}
	return ""
}

// proseStart reports whether a line that is too short to be sure may begin running text.
func proseStart(s string) bool {
	words := strings.Fields(s)
	lower := 0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) {
			lower++
		}
	}
	return len(words) >= 5 && lower*2 >= len(words)
}

// reflow joins lines to running text.
func reflow(s string) string {
	words := layout.NewVocabulary()
	words.Learn(s)
	var spans []inline.Span
	for line := range strings.Lines(s) {
		if t := encoding.Clean(line); t != "" {
			spans = inline.Join(words, spans, []inline.Span{{Text: inline.SpellLigatures(t)}})
		}
	}
	return inline.Text(spans)
}

var (
	specNumber  = regexp.MustCompile(`(?:3GPP|ETSI)\s+(T[SR])\s+(\d{2,3}[ .]\d{3}(?:-\d+)?)\s+V(\d+\.\d+\.\d+)\s+\((\d{4}-\d{2})\)`)
	specRelease = regexp.MustCompile(`\(?(?:3GPP T[SR] [\d.]+ version [\d.]+ )?\(?Release (\d{1,2}|\d{4})\)`)
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

var (
	monthNames = `(january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)`
	dayFirst   = regexp.MustCompile(`(?i)^(?:\D{0,24}\s)?(\d{1,2})(?:st|nd|rd|th|\.)?\s+` + monthNames + `,?\s+(\d{4})\W*$`)
	monthFirst = regexp.MustCompile(`(?i)^(?:\D{0,24}\s)?` + monthNames + `\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\W*$`)
	monthOnly  = regexp.MustCompile(`(?i)^(?:\D{0,12}\s)?` + monthNames + `,?\s+(\d{4})\W*$`)
	hanDate    = regexp.MustCompile(`^\D{0,10}(\d{4})\s*年\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*日)?`)
	isoLine    = regexp.MustCompile(`^\D{0,24}(\d{4}-\d{2}(?:-\d{2})?)\W*$`)
	monthOf    = map[string]int{"jan": 1, "feb": 2, "mar": 3, "mär": 3, "apr": 4, "may": 5, "mai": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12, "dez": 12}
)

// pageDate is the date that stands on a line of its own on the first page, or in an archive's stamp.
func pageDate(c *Page) string {
	for i := range c.Lines {
		t := encoding.Clean(c.Lines[i].Text)
		if len(t) > 120 {
			continue
		}
		if m := stampDate.FindStringSubmatch(t); m != nil && strings.Contains(t, "arXiv") {
			return isoDay(m[3], m[1], month(m[2]))
		}
		if c.Lines[i].Base > .75*c.Height && i > 40 || len(t) > 60 {
			continue
		}
		if s := DateLine(t); s != "" {
			return s
		}
	}
	return ""
}

// DateLine returns the date that a line consists of, a few words before it aside; "" for other lines.
func DateLine(t string) string {
	digits := 0 // of the year
	for i := 0; i < len(t) && digits < 4; i++ {
		if digits++; t[i] < '0' || t[i] > '9' {
			digits = 0
		}
	}
	if digits < 4 {
		return ""
	}
	if m := dayFirst.FindStringSubmatch(t); m != nil {
		return isoDay(m[3], m[1], month(m[2]))
	}
	if m := monthFirst.FindStringSubmatch(t); m != nil {
		return isoDay(m[3], m[2], month(m[1]))
	}
	if m := monthOnly.FindStringSubmatch(t); m != nil {
		return isoDay(m[2], "", month(m[1]))
	}
	if m := hanDate.FindStringSubmatch(t); m != nil {
		s := m[1] + "-" + fmt.Sprintf("%02s", m[2])
		if m[3] != "" {
			s += "-" + fmt.Sprintf("%02s", m[3])
		}
		return s
	}
	if m := isoLine.FindStringSubmatch(t); m != nil {
		return m[1]
	}
	return ""
}

func month(s string) int { return monthOf[string([]rune(strings.ToLower(s))[:3])] }

// isoDay writes a date in ISO 8601, without a day where d is "".
func isoDay(y, d string, m int) string {
	if d == "" {
		return fmt.Sprintf("%s-%02d", y, m)
	}
	return fmt.Sprintf("%s-%02d-%02s", y, m, d)
}
