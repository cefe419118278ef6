package latex

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/compose"
)

// A ref is what a label names.
type ref struct {
	kind   string // "section", "figure", "theorem", ...
	number string
	title  string
}

// refs are the numbers of a document.
type refs struct {
	labels  map[string]ref    // of the pass before
	cites   map[string]string // label of each entry of the bibliography, of the pass before
	authors map[string]string // and its author and year as natbib has them, "Author\x00Year"
	names   map[string]string // what \newtheorem calls its environments

	newLabels  map[string]ref
	newCites   map[string]string
	newAuthors map[string]string

	counters map[string]int
	within   map[string]string // the counter that resets it
	current  ref               // what a label would name
	appendix bool
	chapters bool // of a class with chapters
}

func newRefs() *refs {
	return &refs{
		labels: map[string]ref{}, cites: map[string]string{}, authors: map[string]string{}, names: map[string]string{}, newLabels: map[string]ref{},
		newCites: map[string]string{}, newAuthors: map[string]string{}, counters: map[string]int{}, within: map[string]string{},
	}
}

// next returns what the next pass knows of this one.
func (r *refs) next() *refs {
	n := newRefs()
	n.labels, n.cites, n.authors = r.newLabels, r.newCites, r.newAuthors
	return n
}

var sections = []string{"part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"}

// step counts one more and resets what is counted within it.
func (r *refs) step(counter string) {
	r.counters[counter]++
	r.reset(counter, 0)
}

func (r *refs) reset(outer string, depth int) {
	if depth > 10 {
		return
	}
	for i, s := range sections {
		if s == outer && outer != "part" && i+1 < len(sections) {
			r.counters[sections[i+1]] = 0
			r.reset(sections[i+1], depth+1)
		}
	}
	for inner, w := range r.within {
		if w == outer {
			r.counters[inner] = 0
			r.reset(inner, depth+1)
		}
	}
}

// number returns how a counter prints.
func (r *refs) number(counter string, depth int) string {
	n := fmt.Sprint(r.counters[counter])
	if depth > 10 {
		return n
	}
	switch counter {
	case "part":
		return compose.Ordinal(r.counters[counter], 'I')
	case "chapter":
		if r.appendix {
			return compose.Ordinal(r.counters[counter], 'A')
		}
		return n
	case "section":
		if r.chapters {
			return r.number("chapter", depth+1) + "." + n
		}
		if r.appendix {
			return compose.Ordinal(r.counters[counter], 'A')
		}
		return n
	case "subsection", "subsubsection", "paragraph", "subparagraph":
		for i, s := range sections {
			if s == counter {
				return r.number(sections[i-1], depth+1) + "." + n
			}
		}
	}
	if w := r.within[counter]; w != "" && r.counters[w] > 0 {
		return r.number(w, depth+1) + "." + n
	}
	return n
}

// name gives a label to what is current.
func (r *refs) name(label string) {
	if len(r.newLabels) < 200_000 {
		r.newLabels[strings.TrimSpace(label)] = r.current
	}
}

// words that \autoref and \cref put before a number.
var kinds = map[string]string{
	"part": "Part", "chapter": "Chapter", "section": "Section", "subsection": "Section", "subsubsection": "Section", "paragraph": "Paragraph", "subparagraph": "Paragraph",
	"figure": "Figure", "table": "Table", "equation": "Equation", "footnote": "Note", "item": "Item", "algorithm": "Algorithm", "listing": "Listing", "lstlisting": "Listing",
}

// show returns what a reference prints.
func (r *refs) show(command, labels string) string {
	var out []string
	for l := range strings.SplitSeq(labels, ",") {
		l = strings.TrimSpace(l)
		t, ok := r.labels[l]
		if !ok {
			out = append(out, l)
			continue
		}
		kind := kinds[t.kind]
		if kind == "" {
			kind = t.kind
		}
		number := t.number
		if number == "" {
			number = t.title
		}
		switch command {
		case "eqref":
			number = "(" + number + ")"
		case "nameref", "titleref":
			number = t.title
			if number == "" {
				number = t.number
			}
		case "pageref", "vpageref", "cpageref":
			number = "(" + strings.TrimSpace(kind+" "+number) + ")"
		case "cref", "autoref", "Cref", "vref", "Autoref", "zcref", "fref", "Vref":
			if t.kind == "equation" {
				number = "(" + number + ")"
			}
			if command == "cref" {
				kind = strings.ToLower(kind)
			}
			if command != "vref" && len(out) == 0 {
				number = strings.TrimSpace(kind + " " + number)
			}
		}
		out = append(out, number)
	}
	return strings.Join(out, ", ")
}

// entry notes an entry of the bibliography and returns its label.
func (r *refs) entry(key, label string) string {
	if label == "" {
		r.counters["bibitem"]++
		label = fmt.Sprint(r.counters["bibitem"])
	}
	if at := strings.IndexByte(label, '('); at > 0 { // natbib: Author(Year)Authors
		if end := strings.IndexByte(label[at:], ')'); end > 0 {
			year := label[at+1 : at+end]
			r.newAuthors[key] = strings.TrimSpace(label[:at]) + "\x00" + year
			label = strings.TrimSpace(label[:at]) + " " + year
		}
	}
	if len(r.newCites) < 200_000 {
		r.newCites[key] = label
	}
	return label
}

// cite returns what a citation prints.
func (r *refs) cite(command, before, after, keys string) string {
	textual := strings.HasPrefix(command, "citet") || command == "textcite" || command == "Citet" || strings.HasPrefix(command, "citeauthor") || command == "citeyear"
	var out []string
	all := true
	for k := range strings.SplitSeq(keys, ",") {
		k = strings.TrimSpace(k)
		author, year, ok := strings.Cut(r.authors[k], "\x00")
		all = all && ok
		switch {
		case ok && strings.HasPrefix(command, "citeauthor"):
			out = append(out, author)
		case ok && strings.HasPrefix(command, "citeyear"):
			out = append(out, year)
		case ok && textual:
			out = append(out, author+" ("+year+")")
		case r.cites[k] != "":
			out = append(out, r.cites[k])
		default:
			out = append(out, k)
		}
	}
	s := strings.Join(out, ", ")
	if before != "" {
		s = before + " " + s
	}
	if after != "" {
		s += ", " + after
	}
	if textual && all {
		return s
	}
	return "[" + s + "]"
}
