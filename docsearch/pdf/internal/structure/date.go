package structure

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/internal/lazyregexp"
)

var stampDate = lazyregexp.New(`(?:\[[\w.-]+\]\s+)(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* (\d{4})`)

var (
	monthNames = `(january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)`
	dayFirst   = lazyregexp.New(`(?i)^(?:\D{0,24}\s)?(\d{1,2})(?:st|nd|rd|th|\.)?\s+` + monthNames + `,?\s+(\d{4})\W*$`)
	monthFirst = lazyregexp.New(`(?i)^(?:\D{0,24}\s)?` + monthNames + `\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\W*$`)
	monthOnly  = lazyregexp.New(`(?i)^(?:\D{0,12}\s)?` + monthNames + `,?\s+(\d{4})\W*$`)
	hanDate    = lazyregexp.New(`^\D{0,10}(\d{4})\s*年\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*日)?`)
	isoLine    = lazyregexp.New(`^\D{0,24}(\d{4}-\d{2}(?:-\d{2})?)\W*$`)
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
