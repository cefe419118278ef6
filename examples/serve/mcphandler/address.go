package mcphandler

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// The addresses of resources, as templates of RFC 6570. What an address says is of one document or one entity of code.
const (
	scheme          = "findspot://"
	docTemplate     = scheme + "doc/{id}"
	pageTemplate    = scheme + "doc/{id}/page/{page}"
	sectionTemplate = scheme + "doc/{id}/section/{+section}"
	codeTemplate    = scheme + "code/{+entity}"
)

// address is what a resource is: a document, a page or a section of one, or an entity of code.
type address struct {
	doc     string
	page    int    // 0: not of a page
	section string // number or heading; "": not of a section
	entity  string
}

// String is the address as it is written: what a URI may not hold is escaped.
func (a address) String() string {
	switch {
	case a.entity != "":
		return scheme + "code/" + escape(a.entity)
	case a.page > 0:
		return scheme + "doc/" + url.PathEscape(a.doc) + "/page/" + strconv.Itoa(a.page)
	case a.section != "":
		return scheme + "doc/" + url.PathEscape(a.doc) + "/section/" + escape(a.section)
	}
	return scheme + "doc/" + url.PathEscape(a.doc)
}

// escape leaves slashes and colons as they are, for readers.
func escape(s string) string {
	parts := strings.Split(s, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// parseAddress reads an address. Characters that should be escaped may stand as they are, such as the "#" of "f#2": nothing has a meaning beside them.
func parseAddress(uri string) (address, error) {
	bad := func(why string) (address, error) {
		return address{}, fmt.Errorf("%.200q: %s: addresses are %s, %s, %s and %s", uri, why, docTemplate, pageTemplate, sectionTemplate, codeTemplate)
	}
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return bad("not an address of findspot")
	}
	kind, rest, _ := strings.Cut(rest, "/")
	if rest == "" {
		return bad("nothing behind its kind")
	}
	if kind == "code" {
		id, err := url.PathUnescape(rest)
		if err != nil {
			return bad(err.Error())
		}
		return address{entity: id}, nil
	}
	if kind != "doc" {
		return bad("no kind of resource")
	}
	id, part, whole := strings.Cut(rest, "/")
	id, err := url.PathUnescape(id)
	if err != nil || id == "" {
		return bad("no document")
	}
	if !whole {
		return address{doc: id}, nil
	}
	kind, part, _ = strings.Cut(part, "/")
	part, err = url.PathUnescape(part)
	switch {
	case err != nil:
		return bad(err.Error())
	case kind == "section" && part != "":
		return address{doc: id, section: part}, nil
	case kind == "page":
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return bad("pages count from 1")
		}
		return address{doc: id, page: n}, nil
	}
	return bad("no part of a document")
}
