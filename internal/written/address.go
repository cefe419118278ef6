package written

import (
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/evidence"
)

// An address is a place as a reader writes it.
type address struct {
	written      string
	name         string // of a document or file
	page, toPage int    // 0: not named
	line, toLine int
	code         bool // written as places in code are: with a colon
	bare         bool // the name of a document or file alone, which is no place
}

const (
	maxAddress = 400 // bytes
	maxPages   = 10  // of one address
)

var (
	inDocument = lazyregexp.New(`^(?:"[^"\n]*"|“[^”\n]*”)?\s*(?:p(?:p|ages?)?\.?\s*(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?)?[,;]?\s*(?:l(?:l|ines?)?\.?\s*(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?)?\s*\(((?:[^()\n]|\([^()\n]*\))+)\)$`)
	afterName  = lazyregexp.New(`^(.+?)[,:]?\s+p(?:p|ages?)?\.?\s*(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?(?:[,;]?\s*l(?:l|ines?)?\.?\s*(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?)?$`)
	linesAlone = lazyregexp.New(`^(.+?)[,:]?\s+l(?:l|ines?)?\.?\s*(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?$`)
	inCode     = lazyregexp.New(`^([^\s:"'<>|]*[^\s:"'<>|/]\.[^\s:"'<>|/]+|[^\s:"'<>|]*/[^\s:"'<>|/]+):L?(\d{1,7})(?:\s*[-–]\s*L?(\d{1,7}))?$`)
	fileName   = lazyregexp.New(`^[^\s:;"'<>|#][^:;"'<>|#\n]*\.[A-Za-z]\w{0,7}$`)
	fragment   = lazyregexp.New(`^([^\s#"'<>|]+)#(?:page=(\d{1,7})|L(\d{1,7})(?:-L?(\d{1,7}))?)$`)
)

// parseAddress reads an address. What is none, such as a word in brackets, is not ok.
func parseAddress(s string) (a address, ok bool) {
	s = strings.Join(strings.Fields(strings.Trim(strings.TrimSpace(s), "`")), " ")
	if s == "" || len(s) > maxAddress {
		return a, false
	}
	a.written = s
	if m := inDocument.FindStringSubmatch(s); m != nil && (m[1] != "" || m[3] != "") {
		a.name, a.page, a.toPage, a.line, a.toLine = m[5], number(m[1]), number(m[2]), number(m[3]), number(m[4])
	} else if m := afterName.FindStringSubmatch(s); m != nil {
		a.name, a.page, a.toPage, a.line, a.toLine = m[1], number(m[2]), number(m[3]), number(m[4]), number(m[5])
	} else if m := linesAlone.FindStringSubmatch(s); m != nil {
		a.name, a.line, a.toLine = m[1], number(m[2]), number(m[3])
	} else if m := inCode.FindStringSubmatch(s); m != nil {
		a.name, a.line, a.toLine, a.code = m[1], number(m[2]), number(m[3]), true
	} else if m := fragment.FindStringSubmatch(s); m != nil {
		a.name, a.page, a.line, a.toLine, a.code = m[1], number(m[2]), number(m[3]), number(m[4]), m[2] == ""
	} else {
		return a, false
	}
	a.name = strings.TrimSpace(strings.Trim(a.name, "`*_\"“” "))
	return a, a.name != ""
}

// Address writes a place in a document as a key that [Check] reads: "paper.pdf p. 3, l. 10-14". 0 leaves a page or line out.
func Address(name string, page, first, last int) string {
	if within := (evidence.Place{Doc: name, Page: page, Line: first, EndLine: last}).Within(); within != "" {
		return name + " " + within
	}
	return name
}

// AddressOf is the [Address] of a text that begins on a line.
func AddressOf(name string, page, line int, text string) string {
	return Address(name, page, line, line+strings.Count(strings.TrimSuffix(text, "\n"), "\n"))
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
