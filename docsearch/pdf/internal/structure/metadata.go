package structure

import (
	"slices"
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// ReadMetadata reads the metadata: document information, then XMP, then the first page.
func ReadMetadata(f *cos.Reader, pages Pages) (extract.Meta, Front) {
	m := extract.Meta{Authors: []string{}, Pages: pages.Count}
	if info := f.Dict(f.File.Trailer()["Info"]); info != nil {
		get := func(k string) string { return encoding.Clean(encoding.TextString(f.Str(info[k]))) }
		m.Title, m.Subject, m.Keywords, m.Producer = get("Title"), get("Subject"), get("Keywords"), get("Producer")
		m.Authors = splitAuthors(get("Author"))
		m.Date = isoDate(get("CreationDate"))
		if m.Date == "" {
			m.Date = isoDate(get("ModDate"))
		}
	}
	if x := catalog.XMP(f); x != nil {
		if emptyTitle(m.Title) {
			m.Title = encoding.Clean(x["title"])
		}
		if len(m.Authors) == 0 {
			m.Authors = splitAuthors(encoding.Clean(x["creator"]))
		}
		if m.Subject == "" {
			m.Subject = encoding.Clean(x["description"])
		}
		if m.Date == "" {
			m.Date = encoding.Clean(x["CreateDate"])
		}
		if m.Producer == "" {
			m.Producer = encoding.Clean(x["Producer"])
		}
	}
	fr := complete(&m, pages)
	return m, fr
}

// complete fills in from the first pages what the document does not state, and replaces what a program or a template put there. It returns
// what the first pages say.
func complete(m *extract.Meta, pages Pages) Front {
	if emptyTitle(m.Title) {
		m.Title = ""
	}
	fr := readFront(pages, m.Title)
	if m.Title == "" {
		m.Title = fr.title
	}
	people, places := divide(m.Authors)
	switch {
	case len(people) == 0 || len(fr.authors) > 0 && slices.ContainsFunc(people, account), len(fr.authors) > len(people) && contains(fr.authors, people):
		m.Authors = fr.authors
	default:
		m.Authors = people
	}
	if len(m.Authors) == 0 {
		m.Authors = people
	}
	if m.Authors == nil {
		m.Authors = []string{}
	}
	m.Institutions = fr.institutions
	for _, p := range places {
		if !slices.ContainsFunc(m.Institutions, func(s string) bool { return strings.EqualFold(s, p) }) {
			m.Institutions = append(m.Institutions, p)
		}
	}
	m.Abstract = fr.abstract
	if fr.date != "" {
		m.Date = fr.date
	}
	return fr
}

// noAuthor is what programs and templates write where the author belongs.
var noAuthor = lazyregexp.New(`(?i)^(unknown|anonymous|author|authors?|user|admin\w*|owner|default|root|guest|none|n/a|microsoft.*|preferred customer|tsgc|mcc support|dsi|\W*)$`)

// account reports whether an author is a user's account or another word that names nobody: "jdoe", "TSGC".
func account(s string) bool {
	return noAuthor.MatchString(s) || !strings.ContainsFunc(s, unicode.IsSpace) && LetterCount(s) == len(s) || strings.ContainsAny(s, `\@`) && !strings.Contains(s, " ")
}

// contains reports whether all names of part are among all: tools state the first author only.
func contains(all, part []string) bool {
	for _, p := range part {
		if !slices.ContainsFunc(all, func(a string) bool { return Squash(a) == Squash(p) }) {
			return false
		}
	}
	return true
}

// divide tells people from institutions in what the document states as its authors.
func divide(authors []string) (people, places []string) {
	for _, a := range authors {
		switch {
		case noAuthor.MatchString(a):
		case strongOrg.MatchString(a) && len(authors) > 1:
			places = append(places, a)
		default:
			people = append(people, a)
		}
	}
	return people, places
}

var noTitle = lazyregexp.New(`(?i)^(untitled.*|title|document\d*|slide \d+|microsoft (word|powerpoint|excel) ?-.*|.*\.(docx?|pptx?|xlsx?|tex|dvi|ps|pdf|indd|qxd|rtf|odt|p65|wpd|fm|eps|ai|cdr|vsd|txt|html?)|proceedings template.*|.*\btemplate|arxiv:.*|powerpoint presentation|no job name|stdin|pdf|[\d\W_]*|)$`)

// emptyTitle reports whether a title says nothing: none at all, or what a program put there.
func emptyTitle(s string) bool { return noTitle.MatchString(s) }

func splitAuthors(s string) []string {
	out := []string{}
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ';' || r == '\n' }) {
		// "Doe, John" is one name where semicolons divide them; "Jane Doe, John Roe" are two.
		names := strings.Split(strings.ReplaceAll(part, " and ", ","), ",")
		if strings.Contains(s, ";") && slices.ContainsFunc(names, func(n string) bool { return !strings.Contains(strings.TrimSpace(n), " ") }) {
			names = []string{part}
		}
		for _, p := range names {
			if p = strings.TrimSpace(p); p != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

var pdfDate = lazyregexp.New(`^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2}'?(?:\d{2})?)?`)

// isoDate turns "D:20240131120000+01'00'" into ISO 8601, as far as it goes.
func isoDate(s string) string {
	m := pdfDate.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}
	out := m[1]
	if m[2] == "" {
		return out
	}
	out += "-" + m[2]
	if m[3] == "" {
		return out
	}
	out += "-" + m[3]
	if m[4] == "" || m[5] == "" {
		return out
	}
	out += "T" + m[4] + ":" + m[5]
	if m[6] != "" {
		out += ":" + m[6]
	}
	if z := strings.ReplaceAll(m[7], "'", ""); z == "Z" {
		out += "Z"
	} else if len(z) == 5 {
		out += z[:3] + ":" + z[3:]
	} else if len(z) == 3 {
		out += z + ":00"
	}
	return out
}
