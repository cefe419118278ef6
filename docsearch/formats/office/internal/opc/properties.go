package opc

import (
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// maxProperty is the length in bytes up to which a property is kept.
const maxProperty = 2000

var isoDate = lazyregexp.New(`^[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?`)

// Properties returns what the file says of itself (ECMA-376 part 2, section 11). The date is that of the last change, or else of the creation.
func (p *Package) Properties() (extract.Meta, error) {
	var m extract.Meta
	rs, err := p.Relationships("")
	if err != nil {
		return m, err
	}
	if part := rs.Type("core-properties"); part != "" {
		n, err := p.Tree(part)
		if err != nil {
			return m, err
		}
		value := func(name string) string {
			c := n.Child(name)
			if c == nil {
				return ""
			}
			s := strings.Join(strings.Fields(c.Text), " ")
			if len(s) > maxProperty {
				s = strings.ToValidUTF8(s[:maxProperty], "")
			}
			return s
		}
		m.Title, m.Subject, m.Keywords = value("dc:title"), value("dc:subject"), value("cp:keywords")
		for name := range strings.SplitSeq(value("dc:creator"), ";") {
			if name = strings.TrimSpace(name); name != "" {
				m.Authors = append(m.Authors, name)
			}
		}
		for _, name := range []string{"dcterms:modified", "dcterms:created"} {
			if m.Date == "" {
				m.Date = isoDate.FindString(value(name))
			}
		}
	}
	if part := rs.Type("extended-properties"); part != "" {
		n, err := p.Tree(part)
		if err != nil {
			return m, err
		}
		if c := n.Child("ep:Application"); c != nil && len(c.Text) < maxProperty {
			m.Producer = strings.TrimSpace(c.Text)
			if v := n.Child("ep:AppVersion"); v != nil && len(v.Text) < 100 && m.Producer != "" {
				m.Producer = strings.TrimSpace(m.Producer + " " + v.Text)
			}
		}
	}
	return m, nil
}
