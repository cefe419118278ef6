package visible

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// alike are the letters of other scripts for which Unicode's table of confusables (Technical Standard #39) gives one of a to z or A to Z, without
// those that hardly look like it, such as π for n.
var alike = func() map[rune]bool {
	m := map[rune]bool{}
	for _, r := range quantities + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺϳͿοϲ" + // Greek
		"АВСЕНІЈКМОРЅТУХҮԌԚԜѴӀЬаԁеһіјкорԛѕуүѵԝсхӏҽѡ" + // Cyrillic
		"ՍՏՕցհոռսօզգք" + // Armenian
		"ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏂᏳᏴ" + // Cherokee
		"ⲞⲟⲤⲥⲢⲣⲎⲒⲔⲕⲘⲚⲦ" + // Coptic
		"ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ" + // Lisu
		"סוןטاჿⴹⴸⵏⵔⵕ𐐄𐐬𐐕𐐽𐐠𐑈𐐛" { // Hebrew, Arabic, Georgian, Tifinagh, Deseret
		m[r] = true
	}
	return m
}()

// quantities are those among the Greek letters that stand in ordinary names of quantities and genes ("σmax", "TNFα", "NFκB").
const quantities = "αγικνρστυ"

var scripts = []*unicode.RangeTable{unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu, unicode.Hebrew, unicode.Arabic,
	unicode.Georgian, unicode.Tifinagh, unicode.Deseret}

// A word is a run of letters, digits, marks and low lines; letters behind a backslash or per cent sign ("\n", "%s") and the end of "a-z" belong to none.
type word struct {
	latin   bool
	mixed   bool  // some of its letters are to be written out
	foreign bool  // a letter is neither Latin nor looks so
	letters int   // beyond Latin
	sure    bool  // one of the look-alikes is no quantity
	places  []int // of the letters to be written out
	runs    []run
}

// A run is letters of other scripts in a row.
type run struct {
	places        []int
	scripts       map[*unicode.RangeTable]bool
	sure, foreign bool
	before, after rune
}

// alikes returns where the look-alikes stand that are to be written out. These are, in runs of other scripts' letters in which all look like Latin ones:
//
//   - those in a word that has Latin letters too, or letters of two other scripts in a row. A Greek letter that names quantities only counts between small
//     Latin ones.
//   - whole words of two letters or more in a line with Latin letters or signs of code, unless they stand in a sentence with a word that is plainly of
//     another script.
func alikes(s string) (found []int) {
	if !strings.ContainsFunc(s, looksLatin) {
		return nil
	}
	from := 0
	for line := range strings.Lines(s) {
		if strings.ContainsFunc(line, looksLatin) {
			found = append(found, inLine(s[from:from+len(line)], from)...)
		}
		from += len(line)
	}
	return found
}

func looksLatin(r rune) bool { return r >= utf8.RuneSelf && alike[r] }

// inLine is alikes for a line that stands at an offset.
func inLine(line string, offset int) (found []int) {
	code, plain := false, false // of the line, of the group
	var whole, group [][]int    // words of nothing but look-alikes
	end := func() {
		if !plain {
			whole = append(whole, group...)
		}
		group, plain = nil, false
	}
	var marked []int
	for i := 0; i < len(line); {
		if n := gap(line[i:]); n > 0 {
			if !prose(line[i : i+n]) {
				end()
			}
			code = code || signs(line[:i], line[i:i+n])
			i += n
			continue
		}
		w, n := wordAt(line, i, offset)
		i += n
		code = code || w.latin || strings.Contains(line[i-n:i], "_")
		marked = append(marked, w.places...)
		switch {
		case w.mixed:
			end()
		case w.foreign:
			plain = true
		case !w.latin && w.letters > 1 && w.sure:
			var at []int
			for _, r := range w.runs {
				at = append(at, r.places...)
			}
			group = append(group, at)
		}
	}
	end()
	if code {
		for _, at := range whole {
			marked = append(marked, at...)
		}
	}
	return marked
}

// wordAt reads the word at line[i:].
func wordAt(line string, i, offset int) (w word, size int) {
	start := i
	var last rune // the letter or sign before; 0 for none
	open := false // a run goes on
	for i < len(line) {
		r, n := utf8.DecodeRuneInString(line[i:])
		if !wordRune(r) {
			break
		}
		switch {
		case unicode.IsMark(r):
		case !unicode.IsLetter(r) || latin(r):
			w.latin = w.latin || latin(r)
			if open {
				w.runs[len(w.runs)-1].after = r
			}
			open, last = false, r
		default:
			if !open {
				w.runs = append(w.runs, run{before: last, scripts: map[*unicode.RangeTable]bool{}})
				open = true
			}
			w.letters++
			w.runs[len(w.runs)-1].add(r, offset+i)
			last = r
		}
		i += n
	}
	several := slices.ContainsFunc(w.runs, func(r run) bool { return !r.foreign && len(r.scripts) > 1 })
	for _, r := range w.runs {
		w.foreign, w.sure = w.foreign || r.foreign, w.sure || r.sure
		if r.foreign || !several && (!w.latin || !r.sure && !(small(r.before) && small(r.after))) {
			continue
		}
		w.mixed = true
		w.places = append(w.places, r.places...)
	}
	return w, i - start
}

func (r *run) add(c rune, at int) {
	if !alike[c] {
		r.foreign = true
		return
	}
	r.places = append(r.places, at)
	r.sure = r.sure || !strings.ContainsRune(quantities, c)
	for _, t := range scripts {
		if unicode.Is(t, c) {
			r.scripts[t] = true
		}
	}
}

func wordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_') && !hidden(r)
}

// latin reports a Latin letter; the ordinals are written for degrees.
func latin(r rune) bool { return unicode.Is(unicode.Latin, r) && r != 'ª' && r != 'º' }

func small(r rune) bool { return r >= 'a' && r <= 'z' }

// gap returns the length of what stands between words at the beginning of s.
func gap(s string) int {
	i := 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch m := written(s[i:]); {
		case m > 0:
			n = m
		case r == '\\' || r == '%':
			n += escaped(s[i+1:])
		case r == '-' && i+1 < len(s) && s[i+1]|0x20 == 'z': // the end of a range of letters
			n = 2
		case wordRune(r):
			return i
		}
		i += n
	}
	return i
}

// escaped returns how many letters and digits an escape has at the beginning of s: "n", "u0430", "x1b".
func escaped(s string) int {
	if s == "" || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return 0
	}
	n, most := 1, map[byte]int{'u': 5, 'U': 9, 'x': 3}[s[0]]
	for n < min(most, len(s)) && strings.IndexByte("0123456789abcdefABCDEF", s[n]) >= 0 {
		n++
	}
	return n
}

// written returns the length of the form at the beginning of s that Text writes something out in.
func written(s string) int {
	for _, begin := range []string{"[U+", "[0x"} {
		if rest, ok := strings.CutPrefix(s, begin); ok {
			n := 0
			for n < len(rest) && strings.IndexByte("0123456789ABCDEF", rest[n]) >= 0 {
				n++
			}
			if n >= 2 && n <= 6 && n < len(rest) && rest[n] == ']' {
				return len(begin) + n + 1
			}
		}
	}
	return 0
}

// prose reports whether a gap may stand between the words of a sentence.
func prose(gap string) bool {
	return strings.ContainsAny(gap, " \t-–—") && strings.Trim(gap, " \t-–—,.;:!?'\"()«»„“”‘’…/") == ""
}

// signs reports whether a gap holds signs that code has and sentences have not.
func signs(before, gap string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	if gap[0] == '(' && wordRune(last) {
		return true
	}
	for i := 0; i < len(gap); i++ {
		if n := written(gap[i:]); n > 0 {
			i += n - 1
		} else if strings.IndexByte("={}", gap[i]) >= 0 {
			return true
		}
	}
	return false
}
