package sheet

import (
	"math"
	"strconv"
	"strings"

	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
)

// maxCode bounds the code of a number format in bytes, and maxDigits how many digits one asks for.
const (
	maxCode   = 1000
	maxDigits = 30
)

// formats are the number formats of a workbook, by the style of a cell.
type formats struct {
	ids   []int
	codes map[int]string
	read  map[int][]section // parsed
	epoch int               // days that are added to a serial date: 1462 where day 0 is that of 1904
}

// builtin are the formats that have a number and no code in the file (ECMA-376 part 1, section 18.8.30). Those of dates, which Excel shows as the user's country does,
// are ISO 8601 here.
var builtin = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: `"$"#,##0;-"$"#,##0`, 6: `"$"#,##0;-"$"#,##0`, 7: `"$"#,##0.00;-"$"#,##0.00`, 8: `"$"#,##0.00;-"$"#,##0.00`,
	9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
	20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 41: "#,##0;-#,##0;-",
	42: `"$"#,##0;-"$"#,##0;"$"-`, 43: "#,##0.00;-#,##0.00;-", 44: `"$"#,##0.00;-"$"#,##0.00;"$"-`, 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
	27: "yyyy-mm-dd", 28: "yyyy-mm-dd", 29: "yyyy-mm-dd", 30: "yyyy-mm-dd", 31: "yyyy-mm-dd", 32: "h:mm", 33: "h:mm:ss", 34: "yyyy-mm-dd", 35: "yyyy-mm-dd", 36: "yyyy-mm-dd",
	50: "yyyy-mm-dd", 51: "yyyy-mm-dd", 52: "yyyy-mm-dd", 53: "yyyy-mm-dd", 54: "yyyy-mm-dd", 55: "yyyy-mm-dd", 56: "yyyy-mm-dd", 57: "yyyy-mm-dd", 58: "yyyy-mm-dd",
}

func newFormats(styles *xmlnode.Node, from1904 bool) *formats {
	f := &formats{codes: map[int]string{}, read: map[int][]section{}}
	if from1904 {
		f.epoch = 1462
	}
	for n := range styles.Child("x:numFmts").Children("x:numFmt") {
		if code := n.Attr("formatCode"); len(code) <= maxCode {
			f.codes[n.Int("numFmtId", -1)] = code
		}
	}
	for x := range styles.Child("x:cellXfs").Children("x:xf") {
		f.ids = append(f.ids, x.Int("numFmtId", 0))
	}
	return f
}

// sections returns the parts of the format of a style; nil for the general one.
func (f *formats) sections(style int) []section {
	if style < 0 || style >= len(f.ids) {
		return nil
	}
	id := f.ids[style]
	if s, ok := f.read[id]; ok {
		return s
	}
	code, ok := f.codes[id]
	if !ok {
		code = builtin[id]
	}
	var out []section
	if code != "" && !strings.EqualFold(code, "General") {
		out = parse(code)
	}
	f.read[id] = out
	return out
}

// text is what a cell with a string shows.
func (f *formats) text(s string, style int) string {
	for i, sec := range f.sections(style) {
		if !sec.text {
			continue
		}
		if i == 3 || len(f.sections(style)) == 1 {
			var b strings.Builder
			for _, t := range sec.tokens {
				switch t.kind {
				case textHere:
					b.WriteString(s)
				case literal:
					b.WriteString(t.text)
				}
			}
			return b.String()
		}
	}
	return s
}

// number is what a cell with a number shows. What is no number is returned as it is.
func (f *formats) number(s string, style int) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return s
	}
	secs := f.sections(style)
	if secs == nil {
		return general(v)
	}
	sec, abs := choose(secs, v)
	if sec == nil {
		return general(v)
	}
	if abs {
		v = math.Abs(v)
	}
	switch {
	case sec.text || sec.general:
		return sec.around(general(v))
	case sec.date:
		return sec.dateText(v + float64(f.epoch))
	}
	return sec.numberText(v)
}

// general shows a number with up to 15 digits, where Excel shows as many as fit in the column.
func general(v float64) string {
	if a := math.Abs(v); a != 0 && (a >= 1e16 || a < 1e-9) {
		return strings.Replace(strconv.FormatFloat(v, 'E', -1, 64), "E+0", "E+", 1)
	}
	s := strconv.FormatFloat(v, 'g', 15, 64)
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		s = strconv.FormatFloat(x, 'f', -1, 64)
	}
	return s
}

// choose returns the part of a format that holds for a value, and whether that part shows it without its sign.
func choose(secs []section, v float64) (sec *section, abs bool) {
	numbers := secs
	if len(numbers) > 3 {
		numbers = numbers[:3]
	}
	if len(numbers) > 1 && numbers[len(numbers)-1].text && !numbers[0].text {
		numbers = numbers[:len(numbers)-1]
	}
	for i := range numbers {
		if c := numbers[i].condition; c != "" && holds(c, numbers[i].limit, v) {
			return &numbers[i], v < 0 && i > 0
		}
	}
	plain := func(i int) bool { return i < len(numbers) && numbers[i].condition == "" }
	switch {
	case v < 0 && plain(1):
		return &numbers[1], true
	case v == 0 && plain(2):
		return &numbers[2], false
	case plain(0) && (v >= 0 || len(numbers) == 1):
		return &numbers[0], false
	}
	for i := len(numbers) - 1; i >= 0; i-- {
		if plain(i) {
			return &numbers[i], false
		}
	}
	return nil, false
}

func holds(condition string, limit, v float64) bool {
	switch condition {
	case "<":
		return v < limit
	case "<=":
		return v <= limit
	case ">":
		return v > limit
	case ">=":
		return v >= limit
	case "=":
		return v == limit
	case "<>":
		return v != limit
	}
	return false
}

// numberText shows a number by a part of a format.
func (s *section) numberText(v float64) string {
	negative := v < 0
	v = math.Abs(v)
	for range s.percents {
		v *= 100
	}
	for range s.thousands {
		v /= 1000
	}
	if s.fraction {
		return s.fractionText(v, negative)
	}
	exp := 0
	if s.exponent {
		if v != 0 {
			exp = int(math.Floor(math.Log10(v)))
			if n := max(s.whole, 1); n > 1 { // such as ##0.0E+0: the exponent is a multiple of three
				exp = int(math.Floor(float64(exp)/float64(n))) * n
			}
			v /= math.Pow10(exp)
		}
		if m, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', s.decimals, 64), 64); err == nil && m >= math.Pow10(max(s.whole, 1)) {
			v /= math.Pow10(max(s.whole, 1))
			exp += max(s.whole, 1)
		}
	}
	text := decimal(v, s.decimals)
	whole, dec, _ := strings.Cut(text, ".")
	if whole == "0" {
		whole = ""
	}
	if negative && strings.Trim(whole+dec, "0") == "" {
		negative = false
	}
	// Digits go to their places from the right; those that are left over stand before the first.
	var left []string // of the tokens before the point, in reverse
	digits := 0
	grouped := func(d string) string {
		if s.grouped && digits > 0 && digits%3 == 0 {
			d += ","
		}
		digits++
		return d
	}
	places := s.whole
	for i := s.point - 1; i >= 0; i-- {
		t := s.tokens[i]
		if t.kind != digit {
			left = append(left, t.text)
			continue
		}
		places--
		switch {
		case whole != "":
			left = append(left, grouped(whole[len(whole)-1:]))
			whole = whole[:len(whole)-1]
		case t.text == "0":
			left = append(left, grouped("0"))
		}
		for places == 0 && whole != "" {
			left = append(left, grouped(whole[len(whole)-1:]))
			whole = whole[:len(whole)-1]
		}
	}
	var b strings.Builder
	if negative {
		b.WriteByte('-')
	}
	if s.whole == 0 && whole != "" {
		b.WriteString(whole)
	}
	for i := len(left) - 1; i >= 0; i-- {
		b.WriteString(left[i])
	}
	// After the point, zeros at the end that are not asked for are left out.
	need := 0
	k := 0
	for _, t := range s.tokens[s.point:] {
		if t.kind == digit && k < s.decimals {
			if k++; t.text == "0" || k <= len(dec) && strings.Trim(dec[k-1:], "0") != "" {
				need = k
			}
		}
	}
	k = 0
	for _, t := range s.tokens[s.point:] {
		switch t.kind {
		case point:
			if need > 0 || s.decimals == 0 {
				b.WriteByte('.')
			}
		case digit:
			if k < need && k < len(dec) {
				b.WriteByte(dec[k])
			}
			k++
		case exponent:
			sign := "+"
			if exp < 0 {
				sign = "-"
			} else if t.text == "-" {
				sign = ""
			}
			e := strconv.Itoa(abs(exp))
			b.WriteString("E" + sign + strings.Repeat("0", max(s.expDigits-len(e), 0)) + e)
		default:
			b.WriteString(t.text)
		}
	}
	return strings.TrimSpace(b.String())
}

// decimal rounds halves away from zero, as Excel does with what the decimal digits of the number say.
func decimal(v float64, decimals int) string {
	if s := strconv.FormatFloat(v, 'g', 15, 64); decimals < 15 && v < 1e15 {
		if x, err := strconv.ParseFloat(s, 64); err == nil {
			p := math.Pow10(decimals)
			if y := x * p; y < 1e15 && math.Abs(y-math.Floor(y)-.5) < 1e-9*max(y, 1)/1e3 {
				v = (math.Floor(y) + 1) / p
			}
		}
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// fractionText shows a number as a whole number and a fraction.
func (s *section) fractionText(v float64, negative bool) string {
	if v >= 1e15 {
		return general(v)
	}
	whole := math.Floor(v)
	if s.whole == 0 {
		whole = 0
	}
	rest := v - whole
	num, den := 0.0, 1.0
	if s.denominator > 0 {
		den = float64(s.denominator)
		num = math.Round(rest * den)
	} else {
		best := math.Inf(1)
		for d := 1.0; d <= math.Pow10(min(max(s.expDigits, 1), 3))-1; d++ {
			if n := math.Round(rest * d); math.Abs(n/d-rest) < best-1e-12 {
				best, num, den = math.Abs(n/d-rest), n, d
			}
		}
	}
	if num == den && s.whole > 0 {
		whole, num = whole+1, 0
	}
	out := ""
	if negative {
		out = "-"
	}
	w, f := strconv.FormatFloat(whole, 'f', 0, 64), strconv.FormatFloat(num, 'f', 0, 64)+"/"+strconv.FormatFloat(den, 'f', 0, 64)
	switch {
	case num == 0 && s.whole > 0:
		return out + w
	case whole == 0:
		return out + f
	}
	return out + w + " " + f
}
