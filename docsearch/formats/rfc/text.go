package rfc

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// maxFile bounds a document in bytes.
const maxFile = 32 << 20

// New returns an extractor of the text of RFCs and Internet-Drafts, which gives what is neither to other; where other is nil that wraps
// docsearch.ErrFormat. It is safe for concurrent use where other is.
func New(other extract.Extractor) extract.Extractor { return text{other} }

type text struct{ other extract.Extractor }

func (x text) Version() string {
	if x.other != nil {
		return "rfc/1+" + x.other.Version()
	}
	return "rfc/1"
}

func (x text) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	head := make([]byte, min(size, 8<<10))
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !Is(string(head[:n])) {
		if x.other != nil {
			return x.other.Open(ctx, r, size)
		}
		return nil, fmt.Errorf("%w: no RFC and no Internet-Draft: its head names neither", errs.Format)
	}
	s, err := format.ReadSource(ctx, r, size, maxFile)
	if err != nil {
		return nil, err
	}
	w := &writer{Page: compose.New(1)}
	w.document(unpaged(s))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return compose.Document(w.meta, w.End()), nil
}

var (
	numberLine = lazyregexp.New(`(?m)^(?:Request for Comments|RFC|Request For Comments)[ #:]*([0-9]{1,5})\b`)
	draftLine  = lazyregexp.New(`(?mi)^(?:Internet[- ]Draft\b|.*\bdraft-[a-z0-9-]+-[0-9]{2}\b)`)
	groupLine  = lazyregexp.New(`(?m)^(?:Network Working Group|Internet Engineering Task Force|Internet Research Task Force|Internet Architecture Board|Independent Submission|RFC Editor|[\w .-]+ Working Group\b|Internet-Draft\b|INTERNET-DRAFT\b)`)
)

// Is reports whether a text begins as an RFC or an Internet-Draft does. The first 4 KB of it are enough.
func Is(head string) bool {
	head = strings.TrimLeft(strings.ReplaceAll(head[:min(len(head), 4<<10)], "\r\n", "\n"), "\n\t \f\ufeff")
	if k := strings.Index(head, "\n\n\n"); k > 0 && k > 200 {
		head = head[:k]
	}
	return numberLine.MatchString(head) || draftLine.MatchString(head) && groupLine.MatchString(head)
}

var (
	footer = lazyregexp.New(`\[(?:Page|PAGE) +[0-9ivxlc]+\] *$`)
	header = lazyregexp.New(`^(?:RFC +[0-9]+\b|Internet[- ]Draft\b|INTERNET[- ]DRAFT\b|draft-).*(?:[0-9]{4}|[a-z]) *$`)
)

// unpaged returns the lines without what stands at the head and foot of pages. Text that goes on over two pages has no empty line there.
func unpaged(s string) []string {
	var out []string
	join := false // a page ended
	lines := strings.Split(strings.ReplaceAll(s, "\f", "\n\f\n"), "\n")
	broken := func(line string) bool {
		return line == "\f" || footer.MatchString(line)
	}
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t\r")
		switch {
		case broken(line):
			join = true
			continue
		case join && line == "":
			continue
		case join && header.MatchString(line) && len(line) > 40:
			continue
		}
		if join {
			join = false
			for len(out) > 0 && out[len(out)-1] == "" {
				out = out[:len(out)-1]
			}
			if len(out) > 0 && !goesOn(out[len(out)-1], line) {
				out = append(out, "")
			}
		}
		out = append(out, line)
	}
	return out
}

// goesOn reports whether a line before the end of a page and one after it are of the same paragraph.
func goesOn(before, after string) bool {
	a, b := strings.TrimSpace(before), strings.TrimSpace(after)
	if a == "" || b == "" || indent(after) == 0 || indent(before) > indent(after) && indent(after) < 3 {
		return false
	}
	if strings.IndexByte(".:?!", a[len(a)-1]) >= 0 && !(b[0] >= 'a' && b[0] <= 'z') {
		return false
	}
	if art(before) && art(after) {
		return true
	}
	return indent(before) == indent(after) && len(before) > 50 && mark.FindString(b) == "" || b[0] >= 'a' && b[0] <= 'z' && mark.FindString(b) == "" && indent(before) == indent(after)
}

func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

var (
	section    = lazyregexp.New(`^((?:[0-9]+|[A-Z])(?:\.[0-9]+)*)(\.?) +(\S.*)$`)
	appendix   = lazyregexp.New(`^(?:Appendix|APPENDIX) +([A-Z0-9]+)\b`)
	unnumbered = lazyregexp.New(`(?i)^(?:abstract|status of this memo|copyright notice|table of contents|contents|acknowledge?ments?|authors?'?s? address(?:es)?|.*references|full copyright statement|intellectual property.*|contributors|index|iesg note|preface|foreword|editors?'?s? address(?:es)?|disclaimer.*|security considerations|iana considerations|introduction|overview|.*note to readers?|about this document)\.?$`)
	mark       = lazyregexp.New(`^(?:[o*+•-]|\(?(?:[0-9]{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])(?: +|$)`)
	caption    = lazyregexp.New(`^(Figure|Table|Listing) +[0-9A-Z.-]+(?:[:.] ?|$)`)
	dots       = lazyregexp.New(`(?:\.{3,}|(?: \.){3,}) *[0-9ivx]+ *$`)
	wide       = lazyregexp.New(`[^ .:?!;,] {3,}\S| {4,}\S`)
	dateLine   = lazyregexp.New(`\b((?:[0-9]{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: [0-9]{1,2},)? [0-9]{4})\s*$`)
	initials   = lazyregexp.New(`^(?:[A-Z]\.[ -]?)+ ?(?:[a-z]+ )?[\p{L}'-]{2,}(?:[ -][\p{L}'-]+)*(?:, (?:Ed\.|Editor|Jr\.|III|Ed))*\.?$`)
)

type writer struct {
	*compose.Page
	meta  extract.Meta
	index bool // the table of contents is under way
}

// document goes through the lines.
func (w *writer) document(lines []string) {
	i, end := w.front(lines), 0
	for i < len(lines) {
		if lines[i] == "" {
			i++
			continue
		}
		for end = max(end, i); end < len(lines) && lines[end] != ""; end++ {
		}
		block := lines[i:end]
		if n := w.heading(lines, i, end); n > 0 {
			i += n
			continue
		}
		if w.index && dots.MatchString(block[0]) || w.index && indent(block[0]) > 0 {
			w.Pre(strings.Join(block, "\n"))
		} else {
			w.block(block)
		}
		i = end
	}
}

// front reads what stands before the abstract: two columns, and the title.
func (w *writer) front(lines []string) int {
	i := 0
	for i < len(lines) && lines[i] == "" {
		i++
	}
	from := i
	for i < len(lines) && (lines[i] != "" || i+1 < len(lines) && lines[i+1] != "" && indent(lines[i+1]) == 0 && !unnumbered.MatchString(lines[i+1]) && section.FindString(lines[i+1]) == "") {
		i++
	}
	var about []string
	for _, line := range lines[from:i] {
		left, right := line, ""
		if k := strings.Index(strings.TrimLeft(line, " "), "   "); k >= 0 {
			k += indent(line)
			left, right = strings.TrimSpace(line[:k]), strings.TrimSpace(line[k:])
		} else if indent(line) > 30 {
			left, right = "", strings.TrimSpace(line)
		}
		if m := numberLine.FindStringSubmatch(left); m != nil {
			about = append(about, "RFC "+m[1])
		}
		for _, p := range []string{"Obsoletes:", "Updates:", "Category:", "Intended status:", "BCP:", "STD:"} {
			if strings.HasPrefix(left, p) {
				about = append(about, left)
			}
		}
		if m := dateLine.FindStringSubmatch(line); m != nil && w.meta.Date == "" && !strings.HasPrefix(left, "Expires") {
			w.meta.Date = isoDate(m[1])
		} else if initials.MatchString(right) {
			name, _, _ := strings.Cut(right, ",")
			if name = strings.TrimSuffix(name, "."); !slices.Contains(w.meta.Authors, name) && len(w.meta.Authors) < 1000 {
				w.meta.Authors = append(w.meta.Authors, name)
			}
		} else if right != "" && !slices.Contains(w.meta.Institutions, right) && len(w.meta.Institutions) < 1000 && !strings.HasPrefix(left, "Expires") {
			w.meta.Institutions = append(w.meta.Institutions, right)
		}
	}
	w.meta.Subject = strings.Join(about, "; ")
	w.Pre(strings.Join(lines[from:i], "\n"))
	var title []string
	k := i
	for ; k < len(lines) && (len(title) == 0 || lines[k] != ""); k++ {
		if s := strings.TrimSpace(lines[k]); s != "" && !strings.HasPrefix(s, "draft-") && !strings.HasPrefix(s, "<draft-") {
			if indent(lines[k]) == 0 && len(title) == 0 {
				break
			}
			title = append(title, s)
		}
	}
	if len(title) > 0 && len(title) < 6 {
		w.meta.Title = strings.Join(title, " ")
		w.Heading(w.meta.Title, 1)
		i = k
	}
	return i
}

// isoDate writes "March 1997" and "1 April 2020" as ISO 8601.
func isoDate(s string) string {
	months := []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	year, month, day := "", 0, ""
	for f := range strings.FieldsSeq(strings.ReplaceAll(s, ",", "")) {
		switch at := slices.Index(months, f); {
		case at >= 0:
			month = at + 1
		case len(f) == 4:
			year = f
		default:
			day = f
		}
	}
	out := fmt.Sprintf("%s-%02d", year, month)
	if day != "" {
		out += fmt.Sprintf("-%02s", day)
	}
	return out
}

// heading writes the heading that begins at line i, and returns how many lines it takes; 0 where there is none. end is where its block ends.
func (w *writer) heading(lines []string, i, end int) int {
	line := lines[i]
	if indent(line) > 0 || dots.MatchString(line) || len(line) > 100 {
		return 0
	}
	n, level := 0, 0
	if m := section.FindStringSubmatch(line); m != nil && (m[2] == "." || strings.Contains(m[1], ".") || m[1][0] <= '9') && !strings.HasSuffix(line, ",") {
		n, level = 1, strings.Count(m[1], ".")+2
	} else if appendix.MatchString(line) {
		n, level = 1, 2
	} else if unnumbered.MatchString(line) && end == i+1 {
		n, level = 1, 2
	} else if unnumbered.MatchString(line) && i+1 < end && indent(lines[i+1]) > 0 {
		n, level = 1, 2
	} else if end == i+1 && len(line) < 60 && line[0] >= 'A' && line[0] <= 'Z' && strings.IndexByte(".,:;", line[len(line)-1]) < 0 && !art(line) {
		n, level = 1, 2
	}
	if n == 0 {
		return 0
	}
	text := line
	// A long title goes on below its own beginning.
	for k := i + 1; k < end && len(lines[k-1]) > 50 && n < 4; k++ {
		if at := indent(lines[k]); at == 0 || section.FindStringSubmatchIndex(line) != nil && at != section.FindStringSubmatchIndex(line)[6] {
			break
		}
		text += " " + strings.TrimSpace(lines[k])
		n++
	}
	w.index = strings.Contains(strings.ToLower(text), "contents") && level == 2
	w.Heading(text, level)
	return n
}

// art reports whether a line looks drawn, or like code.
func art(line string) bool {
	s := strings.TrimSpace(line)
	if strings.Contains(s, "+-") || strings.Contains(s, "-+") || strings.Contains(s, "--->") || strings.Contains(s, "<---") || strings.Contains(s, "|  ") || strings.Contains(s, "===") || strings.Contains(s, "---") || strings.HasPrefix(s, "|") {
		return true
	}
	signs := 0
	for _, r := range s {
		if strings.ContainsRune("|+=<>{}[]/\\_#*^~%$@;&", r) {
			signs++
		}
	}
	return signs*5 > len(s) && len(s) > 3
}

// block writes lines that no empty one parts.
func (w *writer) block(lines []string) {
	if c := strings.TrimSpace(lines[0]); len(lines) <= 3 && caption.MatchString(c) && (indent(lines[0]) > 3 || len(lines) == 1) {
		s := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		w.Mark("")
		w.Words(s)
		w.Paragraph(true)
		if strings.HasPrefix(s, "Figure") {
			w.Figure(s)
		}
		return
	}
	if !prose(lines) {
		w.Mark("")
		w.Pre(strings.Join(lines, "\n"))
		return
	}
	// Each line that begins with a mark, or with the indentation of the first, where the others are indented by more, begins an item.
	base := indent(lines[0])
	var item []string
	flush := func() {
		if len(item) == 0 {
			return
		}
		s := strings.TrimSpace(item[0])
		depth := min(max((indent(item[0])-3)/3, 0), 8)
		m := mark.FindString(s)
		margin := strings.Repeat(" ", 2*depth)
		if m != "" {
			sign := strings.TrimSpace(m)
			if sign == "o" || sign == "*" || sign == "+" || sign == "•" {
				sign = "-"
			}
			w.Mark(margin + sign + " ")
			s = s[len(m):]
		} else {
			w.Mark(margin)
		}
		w.Words(s)
		for _, line := range item[1:] {
			if c := len(s); c == 0 || s[c-1] != '-' && s[c-1] != '/' {
				w.Words(" ")
			}
			s = strings.TrimSpace(line)
			w.Words(s)
		}
		w.Paragraph(false)
		item = nil
	}
	for i, line := range lines {
		if i > 0 && (mark.MatchString(strings.TrimSpace(line)) && indent(line) <= base || indent(line) <= base && len(lines) > i && indent(lines[i-1]) > base) {
			flush()
		}
		item = append(item, line)
	}
	flush()
	w.Mark("")
	w.Paragraph(true)
}

// prose reports whether lines are a paragraph, and no drawing, table or code.
func prose(lines []string) bool {
	base := indent(lines[0])
	if len(lines) == 1 {
		return !art(lines[0]) && !wide.MatchString(strings.TrimSpace(lines[0])) && base <= 12 || mark.MatchString(strings.TrimSpace(lines[0]))
	}
	rest := indent(lines[1])
	odd, short := 0, 0
	for i, line := range lines {
		at := indent(line)
		s := strings.TrimSpace(line)
		if m := mark.FindString(s); m != "" {
			at += len(m)
			s = s[len(m):]
		}
		switch {
		case art(line):
			odd++
		case i > 0 && at != rest && indent(line) != base:
			odd++
		case wide.MatchString(s) && !(i == 0 && rest > base): // the term of a definition stands before it
			odd++
		}
		if i < len(lines)-1 && len(line) < 52 {
			short++
		}
	}
	return odd*4 < len(lines) && short*2 < len(lines) || odd == 0 && short <= 1 && len(lines) > 2
}
