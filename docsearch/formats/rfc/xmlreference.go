package rfc

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reference writes an entry of the references behind its label.
func (w *xmlWriter) reference(e *element, label string) {
	front := e.child("front")
	var names, parts []string
	for _, a := range front.all("author") {
		surname, initials := strings.TrimSpace(a.attrs["surname"]), strings.TrimSpace(a.attrs["initials"])
		name := strings.TrimRight(surname+", "+initials, ", ")
		ascii := strings.TrimRight(a.attrs["asciiSurname"]+", "+a.attrs["asciiInitials"], ", ")
		if surname == "" {
			o := a.child("organization")
			name, ascii = cmp.Or(a.attrs["fullname"], words(o.plain())), cmp.Or(a.attrs["asciiFullname"], o.attrs["ascii"])
		}
		if name = named(name, ascii); name == "" {
			continue
		}
		if a.attrs["role"] == "editor" {
			name += ", Ed."
		}
		names = append(names, name)
	}
	if n := len(names); n > 1 {
		names = append(names[:n-2], names[n-2]+" and "+names[n-1])
	}
	parts = append(parts, names...)
	title := front.child("title")
	if t := words(w.inline(title)); t != "" {
		if e.attrs["quoteTitle"] != "false" {
			t = `"` + t + `"`
		}
		parts = append(parts, named(t, title.attrs["ascii"]))
	}
	for _, r := range e.all("refcontent") {
		parts = append(parts, words(w.inline(r)))
	}
	for _, s := range append(e.all("seriesInfo"), front.all("seriesInfo")...) {
		if s.attrs["name"] == "Internet-Draft" {
			parts = append(parts, "Work in Progress")
		}
		parts = append(parts, strings.TrimSpace(s.attrs["name"]+" "+s.attrs["value"]))
	}
	if d := front.child("date"); len(d.attrs) > 0 {
		month := d.attrs["month"]
		if n, err := strconv.Atoi(month); err == nil && n >= 1 && n <= 12 {
			month = time.Month(n).String()
		}
		s := strings.TrimSpace(month + " " + d.attrs["day"])
		if s != "" && d.attrs["day"] != "" {
			s += ","
		}
		parts = append(parts, strings.TrimSpace(s+" "+d.attrs["year"]))
	} else if s := words(d.plain()); s != "" {
		parts = append(parts, s)
	}
	if t := e.attrs["target"]; t != "" {
		parts = append(parts, "<"+t+">")
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	w.Words(label + strings.Join(parts, ", ") + ".")
	for _, a := range e.all("annotation") {
		w.Words(" " + w.inline(a))
	}
	w.Paragraph(true)
}

// named returns a name with what it is in ASCII, where that is given and differs.
func named(s, ascii string) string {
	if ascii == "" || ascii == s {
		return s
	}
	return s + " (" + ascii + ")"
}
