package rfc

import (
	"cmp"
	"strings"
)

// author returns the name of an author, or of the organization that is one.
func author(a *element) string {
	if s := a.attrs["fullname"]; s != "" {
		return s
	}
	return words(cmp.Or(strings.TrimSpace(a.attrs["initials"]+" "+a.attrs["surname"]), a.child("organization").plain()))
}

// addresses writes the addresses of the authors, as they stand at the end.
func (w *xmlWriter) addresses(front *element) {
	all := front.all("author")
	if len(all) == 0 {
		return
	}
	w.Heading(map[bool]string{true: "Author's Address", false: "Authors' Addresses"}[len(all) == 1], 2)
	for _, a := range all {
		w.address(a)
	}
}

// address writes the address of an author or another: in ASCII first where it is given so, and then as it stands.
func (w *xmlWriter) address(a *element) {
	foreign := a.attrs["asciiFullname"] != "" || a.attrs["asciiSurname"] != ""
	write := func(ascii bool) {
		line := func(s string) {
			w.Words(s)
			w.Break()
		}
		text := func(e *element) string {
			if s := e.attrs["ascii"]; s != "" {
				foreign = true
				if ascii {
					return s
				}
			}
			return words(e.plain())
		}
		name := author(a)
		if ascii {
			name = cmp.Or(a.attrs["asciiFullname"], strings.TrimSpace(a.attrs["asciiInitials"]+" "+a.attrs["asciiSurname"]), name)
		}
		if a.attrs["role"] == "editor" {
			name += " (editor)"
		}
		line(name)
		var walk func(e *element)
		walk = func(e *element) {
			for _, k := range e.kids {
				switch k.name {
				case "organization":
					if s := text(k); s != name {
						line(s)
					}
				case "street", "city", "region", "code", "country", "postalLine", "extaddr", "pobox", "cityarea", "sortingcode":
					line(text(k))
				case "phone", "email", "uri", "facsimile":
					if s := words(k.plain()); s != "" && ascii {
						line(strings.ToUpper(k.name[:1]) + k.name[1:] + ": " + s)
					}
				default:
					walk(k)
				}
			}
		}
		walk(a)
		w.Paragraph(true)
	}
	write(true)
	if foreign {
		w.Words("Additional contact information:")
		w.Paragraph(true)
		write(false)
	}
}
