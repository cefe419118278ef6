package entail

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A quantity is a number of a text with its unit.
type quantity struct {
	value      float64 // in the base unit
	written    float64 // as it stands
	base       string  // "" for a count
	factor     float64 // of the unit as written
	digits     int     // significant digits as written
	over       unit    // that it is per, where that stands apart: "5 kg of salt per hour"
	bound      bound
	about      bool // only about
	words      bool // written in letters
	weak       bool // "one", which mostly counts nothing
	start, end int  // bytes
	at         int  // token
}

// A bound says on which side of a quantity things are.
type bound int

const (
	exactly bound = iota
	atLeast
	moreThan
	atMost
	lessThan
)

func (b bound) up() bool   { return b == atLeast || b == moreThan }
func (b bound) down() bool { return b == atMost || b == lessThan }

var numerals = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
	"fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12,
}

var scales = map[string]float64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

var fractions = map[string]float64{"half": 0.5, "halves": 0.5, "third": 1. / 3, "thirds": 1. / 3, "quarter": 0.25, "quarters": 0.25, "fifth": 0.2, "fifths": 0.2,
	"tenth": 0.1, "tenths": 0.1, "sixth": 1. / 6, "eighth": 0.125}

// quantities finds the quantities of a text and marks their tokens.
func quantities(s string, toks []token) []quantity {
	var out []quantity
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		q := quantity{at: i, start: t.start, end: t.end, factor: 1}
		last := i
		switch {
		case t.kind == number:
			if strings.Contains(t.raw, ":") { // a time of day
				toks[i].kind, toks[i].stem = name, t.raw
				continue
			}
			v, digits, ok := parseNumber(t.raw)
			if !ok { // 5.3.5.3
				toks[i].kind, toks[i].stem = name, t.raw
				continue
			}
			if i > 0 && toks[i-1].raw != toks[i-1].low && i+1 < len(toks) && capitals(toks[i+1].raw) && s[t.end:toks[i+1].start] == " " && !unitLike(toks[i+1].raw) { // Ferrolan 30 GF
				toks[i].kind, toks[i].stem = name, t.raw
				continue
			}
			if d, from, to, ok := date(toks, i); ok {
				for k := from; k < to; k++ {
					toks[k].quantity = len(out)
				}
				out = append(out, quantity{value: d, written: d, base: "date", factor: 1, digits: 9, at: i, start: toks[from].start, end: toks[to-1].end})
				i = to - 1
				continue
			}
			if i > 0 && labelling()[strings.TrimSuffix(toks[i-1].low, "s")] && v == math.Trunc(v) && v < 1000 && !(i+1 < len(toks) && unitLike(toks[i+1].raw)) { // version 2, versions 2 and 3
				toks[i].kind, toks[i].stem = name, strings.TrimSuffix(toks[i-1].low, "s")+" "+t.raw
				if strings.HasSuffix(toks[i-1].low, "s") && i+2 < len(toks) && toks[i+1].low == "and" && toks[i+2].kind == number {
					toks[i+2].kind, toks[i+2].stem = name, strings.TrimSuffix(toks[i-1].low, "s")+" "+toks[i+2].raw
				}
				continue
			}
			q.value, q.digits = v, digits
			if i+1 < len(toks) && scales[toks[i+1].low] > 0 {
				q.value *= scales[toks[i+1].low]
				last++
			}
		case t.kind == word:
			v, n, ok := spelled(toks[i:])
			if !ok {
				continue
			}
			q.value, q.words, q.digits = v, true, 3
			if v >= 100 {
				_, q.digits, _ = parseNumber(strconv.FormatFloat(v, 'f', -1, 64))
			}
			q.weak = v == 1 && n == 1
			last = i + n - 1
			if f := fractions[toks[last].low]; f > 0 {
				q.base, q.digits = "ratio", 2
			}
		default:
			continue
		}
		q.end, q.written = toks[last].end, q.value
		if c, n := utf8.DecodeLastRuneInString(strings.TrimRight(s[:t.start], " ")); n > 0 && q.base == "" && strings.ContainsRune("€$£", c) {
			u, _ := unitOf(string(c))
			q.base = u.base
		} else if u, ok := currency(toks, i); ok {
			q.value, q.base, q.factor, q.start = q.value*u.factor, u.base, u.factor, toks[i-1].start
		} else if u, end, ok := unitAfter(s, q.end); ok && q.base == "" {
			q.value, q.base, q.factor, q.end = q.value*u.factor, u.base, u.factor, end
		} else if q.base == "ratio" { // a fifth of a second
			if j := last + 1; j+2 < len(toks) && toks[j].low == "of" && (toks[j+1].low == "a" || toks[j+1].low == "an") {
				if u, ok := unitOf(toks[j+2].raw); ok {
					q.value, q.base, q.factor, q.end, last = q.value*u.factor, u.base, u.factor, toks[j+2].end, j+2
				}
			}
		}
		if i >= 3 && toks[i-1].low == "and" && q.base == "s" { // an hour and five minutes
			if u, ok := unitOf(toks[i-2].raw); ok && u.base == "s" && u.factor > q.factor && (toks[i-3].low == "an" || toks[i-3].low == "a") {
				q.value += u.factor
			}
		}
		q.weak = q.weak && q.base == ""
		for j := i; j < len(toks) && toks[j].start < q.end; j++ {
			toks[j].quantity = len(out)
			last = j
		}
		out = append(out, q)
		i = last
	}
	for i := len(out) - 2; i >= 0; i-- { // 412.3 to 413.1 MHz
		a, b := &out[i], out[i+1]
		if a.base != "" || b.base == "" || a.words || b.start-a.end > 8 || b.base == "ratio" && b.factor == 1 {
			continue
		}
		switch strings.TrimSpace(s[a.end:b.start]) {
		case "to", "and", "or", "-", "–", "±", "/", ",", ", and", "of", "of the", "of some", "of about", "out of":
			a.base, a.factor, a.value = b.base, b.factor, a.value*b.factor
		}
	}
	for i := range out {
		qualify(&out[i], s, toks)
		for k := out[i].at + 1; out[i].base != "" && !strings.Contains(out[i].base, "/") && k < min(out[i].at+9, len(toks)-1); k++ {
			if toks[k].quantity > i || strings.ContainsAny(toks[k].raw, ".;:") {
				break
			}
			if toks[k].low == "per" {
				out[i].over, _ = unitOf(toks[k+1].raw)
				break
			}
		}
	}
	return out
}

// currency is that whose code stands before a number, as in "MSEK 7".
func currency(toks []token, i int) (unit, bool) {
	if i == 0 || len(toks[i-1].raw) < 3 || toks[i-1].raw != strings.ToUpper(toks[i-1].raw) {
		return unit{}, false
	}
	u, ok := unitOf(toks[i-1].raw)
	return u, ok && (len(u.base) == 3 || u.base == "$" || u.base == "€" || u.base == "£")
}

// labelling are words whose number tells which one is meant.
var labelling = lazy("version class level stage draft step phase type group variant generation release edition tier grade zone line platform planet site")

var monthNames = strings.Fields("january february march april may june july august september october november december")

// date reads a day of a month, with its year or without, around a number: 12 March 2025, March 12, 2025-03-12. What is not said is 0 in yyyymmdd.
func date(toks []token, i int) (v float64, from, to int, ok bool) {
	month := func(k int) int {
		if k < 0 || k >= len(toks) || toks[k].raw == toks[k].low {
			return 0
		}
		return 1 + slices.IndexFunc(monthNames, func(m string) bool {
			return m == toks[k].low || len(toks[k].low) >= 3 && toks[k].low != "mar" && strings.HasPrefix(m, toks[k].low)
		})
	}
	num := func(k, least, most int) int {
		if k < 0 || k >= len(toks) || toks[k].kind != number {
			return 0
		}
		n, err := strconv.Atoi(toks[k].raw)
		if err != nil || n < least || n > most {
			return 0
		}
		return n
	}
	year := func(k int) (int, int) {
		if k < len(toks) && toks[k].raw == "," {
			if y := num(k+1, 1000, 2999); y > 0 {
				return y, k + 2
			}
		}
		if y := num(k, 1000, 2999); y > 0 {
			return y, k + 1
		}
		return 0, k
	}
	day := num(i, 1, 31)
	switch m, before := month(i+1), month(i-1); {
	case day > 0 && m > 0: // 12 March 2025
		y, to := year(i + 2)
		return float64(y*10000 + m*100 + day), i, to, true
	case day > 0 && before > 0 && toks[i-1].quantity < 0: // March 12, 2025
		y, to := year(i + 1)
		return float64(y*10000 + before*100 + day), i - 1, to, true
	case before > 0 && toks[i-1].quantity < 0 && num(i, 1000, 2999) > 0: // March 2025
		return float64(num(i, 1000, 2999)*10000 + before*100), i - 1, i + 1, true
	}
	return 0, 0, 0, false
}

// days is how many days lie between two dates, of the same year where it is not said.
func days(a, b float64) float64 {
	x, y := int(a), int(b)
	if x < 10000 {
		x += y / 10000 * 10000
	}
	if y < 10000 {
		y += x / 10000 * 10000
	}
	at := func(d int) time.Time { return time.Date(d/10000, time.Month(d/100%100), d%100, 0, 0, 0, 0, time.UTC) }
	return math.Abs(at(x).Sub(at(y)).Hours() / 24)
}

// sameDate reports whether what two dates say of day, month and year is the same.
func sameDate(a, b float64) bool {
	x, y := int(a), int(b)
	for _, part := range []int{10000, 100, 1} {
		p, q := x/part, y/part
		x, y = x%part, y%part
		if p > 0 && q > 0 && p != q {
			return false
		}
	}
	return true
}

// capitals reports a short word of capitals alone.
func capitals(s string) bool {
	return len(s) >= 2 && len(s) <= 4 && strings.ToUpper(s) == s && strings.ToLower(s) != s
}

func parseNumber(raw string) (v float64, digits int, ok bool) {
	raw = strings.ReplaceAll(raw, "−", "-")
	if strings.Count(raw, ".") > 1 {
		return 0, 0, false
	}
	plain := strings.ReplaceAll(raw, ",", "")
	if i := strings.LastIndexByte(raw, ','); i >= 0 && len(raw)-i-1 != 3 && !strings.Contains(raw, ".") {
		plain = strings.Replace(raw, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(plain, 64)
	whole := strings.Trim(strings.ReplaceAll(plain, ".", ""), "+-")
	if !strings.Contains(plain, ".") {
		whole = strings.TrimRight(whole, "0")
	}
	return v, max(1, len(strings.TrimLeft(whole, "0"))), err == nil
}

// spelled reads a number in letters: "twenty five", "two thirds", "half".
func spelled(toks []token) (v float64, n int, ok bool) {
	for n < len(toks) {
		low := toks[n].low
		if x, is := numerals[low]; is {
			if n > 0 && !(v >= 20 && x < 10) && v < 100 && low != "dozen" {
				break
			}
			if low == "dozen" && n > 0 {
				v *= x
			} else {
				v += x
			}
			n, ok = n+1, true
			continue
		}
		if x := scales[low]; x > 0 && ok {
			v *= x
			n++
			continue
		}
		if low == "and" && ok && v >= 100 && n+1 < len(toks) && numerals[toks[n+1].low] > 0 { // one hundred and seventeen
			n++
			continue
		}
		if x := fractions[low]; x > 0 {
			switch {
			case ok && strings.HasSuffix(low, "s"):
				return v * x, n + 1, true
			case ok && v == 1:
				return x, n + 1, true
			case !ok && low == "half":
				return x, 1, true
			}
		}
		break
	}
	if !ok && len(toks) > 1 && (toks[0].low == "a" || toks[0].low == "an") {
		if x := fractions[toks[1].low]; x > 0 && (len(toks) < 3 || toks[2].kind == sign || prepositions()[toks[2].low]) {
			return x, 2, true
		}
		if toks[1].low == "dozen" {
			return 12, 2, true
		}
		if x := scales[toks[1].low]; x > 0 {
			return x, 2, true
		}
	}
	return v, n, ok
}

// unitAfter finds the unit that stands behind a number.
func unitAfter(s string, at int) (unit, int, bool) {
	i := at
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '-' && i == at) {
		i++
	}
	if strings.HasPrefix(s[i:], "\u00a0") || strings.HasPrefix(s[i:], "\u202f") {
		_, n := utf8.DecodeRuneInString(s[i:])
		i += n
	}
	if i-at > 2 {
		return unit{}, 0, false
	}
	if rest := strings.ToLower(s[i:min(len(s), i+8)]); rest == "per cent" {
		return unit{"ratio", 0.01}, i + 8, true
	}
	if rest := strings.ToLower(s[i:min(len(s), i+16)]); rest == "percentage point" {
		return unit{"ratio", 0.01}, i + len(rest), true
	}
	end := i
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		if unicode.IsSpace(r) || strings.ContainsRune("|,;:()[]\"“”!?…", r) {
			break
		}
		end += n
	}
	for j := end; j > i; {
		if u, ok := unitOf(s[i:j]); ok && !(j < len(s) && j < end && midWord(s, j)) {
			if u.base == "%" {
				u = unit{"ratio", u.factor / 100}
			}
			if over, n := per(s[j:]); n > 0 {
				u, j = unit{u.base + "/" + over.base, u.factor / over.factor}, j+n
			}
			return u, j, true
		}
		_, n := utf8.DecodeLastRuneInString(s[i:j])
		j -= n
	}
	return unit{}, 0, false
}

// per finds the unit that another is divided by, as in "kg/ha" and "kg per hectare".
func per(s string) (unit, int) {
	n := 0
	for _, sep := range []string{"/", " per ", " a "} {
		if strings.HasPrefix(s, sep) {
			n = len(sep)
		}
	}
	if n == 0 {
		return unit{}, 0
	}
	end := n
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !unicode.IsLetter(r) && r != '²' && r != '³' {
			break
		}
		end += size
	}
	if u, ok := unitOf(s[n:end]); ok && u.factor > 0 {
		return u, end
	}
	return unit{}, 0
}

// midWord reports whether an offset is inside a word.
func midWord(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(before) && unicode.IsLetter(after)
}

// qualify reads what stands before and behind a quantity.
func qualify(q *quantity, s string, toks []token) {
	head := " " + strings.Join(lows(toks[max(0, q.at-5):q.at]), " ")
	for _, w := range []string{" about", " around", " roughly", " approximately", " some", " ca"} {
		if rest, ok := strings.CutSuffix(head, w); ok {
			head, q.about = rest, true
		}
	}
	tail := ""
	for i := q.at; i < len(toks) && len(tail) < 24; i++ {
		if toks[i].start >= q.end {
			tail += toks[i].low + " "
		}
	}
	near := func(phrases ...string) bool {
		for _, p := range phrases {
			if rest, ok := strings.CutSuffix(head, p); ok && strings.HasSuffix(rest, " ") {
				return true
			}
		}
		return false
	}
	not := near("not more than", "no more than", "not over", "not above", "never above", "not exceed", "never exceed", "not exceeding", "without exceeding", "nothing above", "no higher than", "no longer than", "no later than", "no larger than", "not longer than", "not higher than", "not larger than", "no greater than")
	switch {
	case not || near("at most", "up to", "at the most", "maximum of", "max", "limited to", "capped at", "as much as", "as many as", "≤", "within", "a maximum of", "maximum", "as high as"):
		q.bound = atMost
	case near("no less than", "not less than", "no fewer than", "not fewer than", "not below", "never below", "no lower than", "not lower than", "at least", "minimum of", "a minimum of", "minimum", "≥", "at the least", "not under", "no earlier than", "no shorter than"):
		q.bound = atLeast
	case near("more than", "over", "above", "exceeds", "exceed", "exceeding", "exceeded", "greater than", "higher than", "larger than", "longer than", "beyond", "better than", "bigger than", ">", "upwards of", "older than", "later than", "faster than"):
		q.bound = moreThan
	case near("less than", "fewer than", "below", "under", "lower than", "smaller than", "shorter than", "<", "younger than", "earlier than", "slower than"):
		q.bound = lessThan
	case strings.HasPrefix(tail, "or more ") || strings.HasPrefix(tail, "and more ") || strings.HasPrefix(tail, "or above ") || strings.HasPrefix(tail, "and above ") || strings.HasPrefix(tail, "or higher ") || strings.HasPrefix(tail, "or longer ") || strings.HasPrefix(tail, "or over ") || strings.HasPrefix(tail, "and over "):
		q.bound = atLeast
	case strings.HasPrefix(tail, "or less ") || strings.HasPrefix(tail, "or fewer ") || strings.HasPrefix(tail, "or below ") || strings.HasPrefix(tail, "or lower ") || strings.HasPrefix(tail, "at most ") || strings.HasPrefix(tail, "or under "):
		q.bound = atMost
	}
	if q.bound == moreThan || q.bound == lessThan {
		words, reach := toks[max(0, q.at-9):q.at], 7
		if strings.Contains(head, " exceed") {
			reach = 9
		}
		for k := len(words) - 1; k >= max(0, len(words)-reach) && words[k].kind != sign && words[k].kind != number; k-- {
			if low := words[k].low; plainNegators()[low] || low == "without" || strings.HasSuffix(low, "n't") {
				if q.bound == moreThan {
					q.bound = atMost
				} else {
					q.bound = atLeast
				}
				break
			}
		}
	}
	q.about = q.about || near("about", "around", "roughly", "approximately", "some", "nearly", "almost", "close to", "circa", "ca", "just over", "just under", "a little over", "a little under", "well over", "~", "≈", "just above", "just below", "barely", "a good", "slightly over", "slightly under", "slightly more than", "slightly less than", "little more than", "or so") ||
		strings.HasPrefix(tail, "or so ")
}

func lows(toks []token) []string {
	out := make([]string, 0, len(toks))
	for _, t := range toks {
		out = append(out, t.low)
	}
	return out
}

// same reports whether two quantities are the same, or a claim's is that of the evidence as it would be rounded. Where only one has a unit, or one is per something
// that the other leaves to the words around it, the numbers as they are written count. What is a fall in words may have no sign.
func same(claim, ev quantity) bool {
	if claim.value > 0 && ev.value < 0 && claim.bound == exactly {
		ev.value, ev.written = -ev.value, -ev.written
	}
	if claim.base == "date" && ev.base == "date" {
		return sameDate(claim.value, ev.value)
	}
	if claim.base == "date" && ev.base == "" || claim.base == "" && ev.base == "date" { // a year
		d, y := max(claim.value, ev.value), min(claim.value, ev.value)
		return int(d)/10000 == int(y)
	}
	if claim.base != ev.base {
		over := func(a, b string) bool { return strings.HasPrefix(a, b+"/") }
		switch {
		case claim.base == "K" && ev.base == "°C":
			return math.Abs(claim.value-273.15-ev.value) < 0.6
		case claim.base == "°C" && ev.base == "K":
			return math.Abs(claim.value+273.15-ev.value) < 0.6
		case claim.base == "cent" && (ev.base == "€" || ev.base == "$"):
			return equal(claim.value/100, ev.value)
		case claim.base == "" || ev.base == "" || over(claim.base, ev.base) || over(ev.base, claim.base):
			if claim.over.base != "" && strings.Contains(ev.base, "/") && claim.base != "" {
				return equal(claim.value/claim.over.factor, ev.value)
			}
			if equal(claim.written, ev.written) || claim.base == "" && equal(claim.value, ev.value) {
				return true
			}
			claim.value, ev.value = claim.written, ev.written
		default:
			return false
		}
	}
	a, b := claim.value, ev.value
	if equal(a, b) {
		return true
	}
	if claim.about {
		return math.Abs(a-b) <= 0.06*math.Abs(b)
	}
	if claim.digits < ev.digits && b != 0 { // rounded
		unit := math.Pow(10, math.Floor(math.Log10(math.Abs(a)+1e-300))-float64(claim.digits)+1)
		return (claim.digits > 1 || claim.words) && math.Abs(a-b) <= unit/2+1e-9 && math.Abs(a-b) < 0.06*math.Abs(b)
	}
	return false
}

func equal(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(math.Abs(a), math.Abs(b)) }
