package structure

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/internal/clause"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// particles may stand in lower case within a name.
var particles = map[string]bool{"van": true, "von": true, "de": true, "der": true, "den": true, "del": true, "della": true, "di": true, "da": true, "dos": true, "du": true,
	"la": true, "le": true, "ten": true, "ter": true, "bin": true, "ibn": true, "al": true, "el": true, "zu": true, "zur": true, "af": true, "y": true, "e": true}

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
var campus = lazyregexp.New(`(?i)university of (california|illinois|texas|wisconsin|maryland|massachusetts|michigan|north carolina|colorado|minnesota)$`)

// backMatter begins what stands below an abstract.
var backMatter = lazyregexp.New(`(?i)^(keywords|key words|index terms|categories and|general terms|ccs concepts|acm classification)`)

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
