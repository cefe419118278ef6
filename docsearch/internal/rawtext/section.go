package rawtext

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/clause"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
)

// PickSection returns the index of the section that ref names.
func PickSection(all []extract.Section, ref string) (int, error) {
	want := text.Fold(strings.Join(strings.Fields(ref), " "))
	key := clause.Key(ref)
	if want == "" {
		return 0, fmt.Errorf("section %q: %w: the reference is empty", ref, errs.NotFound)
	}
	if len(all) == 0 {
		return 0, fmt.Errorf("section %q: %w: the document has no known headings", ref, errs.NotFound)
	}
	switch found := SectionsCalled(all, ref); len(found) {
	case 0:
	case 1:
		return found[0], nil
	default:
		return 0, fmt.Errorf("section %q: it is ambiguous: %s: give the full heading", ref, headings(all, found))
	}
	if near := nearSections(all, key, want); len(near) > 0 {
		return 0, fmt.Errorf("section %q: %w; near it: %s", ref, errs.NotFound, headings(all, near))
	}
	some := make([]int, min(len(all), 8))
	for i := range some {
		some[i] = i
	}
	return 0, fmt.Errorf("section %q: %w: the document has %d sections, the first of them %s", ref, errs.NotFound, len(all), headings(all, some))
}

// SectionsCalled returns the indexes of the sections that ref names at the first of these steps that has any: number, heading, title, a part of a
// heading.
func SectionsCalled(all []extract.Section, ref string) []int {
	want := text.Fold(strings.Join(strings.Fields(ref), " "))
	key := clause.Key(ref)
	if want == "" {
		return nil
	}
	for _, match := range []func(s *extract.Section) bool{
		func(s *extract.Section) bool { return s.Number != "" && strings.ToLower(s.Number) == key },
		func(s *extract.Section) bool { return text.Fold(s.Heading()) == want },
		func(s *extract.Section) bool { return text.Fold(s.Title) == want },
		func(s *extract.Section) bool { return holds(text.Fold(s.Heading()), want) },
	} {
		var found []int
		for i := range all {
			if match(&all[i]) {
				found = append(found, i)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// holds reports whether a heading has ref as a part. A number must be a whole one: 2.3 is no part of 5.2.3, nor of 2.31 or 2.3.1.
func holds(heading, ref string) bool {
	if ref[0] < '0' || ref[0] > '9' || strings.Trim(ref, "0123456789.") != "" {
		return strings.Contains(heading, ref)
	}
	ref = strings.TrimRight(ref, ".")
	for from := 0; ; {
		at := strings.Index(heading[from:], ref)
		if at < 0 {
			return false
		}
		before, after := strings.TrimRight(heading[:from+at], "."), strings.TrimLeft(heading[from+at+len(ref):], ".")
		if !endsInWord(before) && !beginsWord(after) {
			return true
		}
		from += at + 1
	}
}

func endsInWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

func beginsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// nearSections lists sections with the longest common beginning of a number, or with a word of ref.
func nearSections(all []extract.Section, key, want string) []int {
	for k := key; strings.Contains(k, "."); {
		k = k[:strings.LastIndexByte(k, '.')]
		var out []int
		for i := range all {
			if n := strings.ToLower(all[i].Number); n == k || strings.HasPrefix(n, k+".") && strings.Count(n, ".") == strings.Count(k, ".")+1 {
				out = append(out, i)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	terms := map[string]bool{}
	for _, w := range text.Terms(want) {
		terms[w] = true
	}
	var out []int
	for i := range all {
		if slices.ContainsFunc(text.Terms(all[i].Title), func(w string) bool { return terms[w] }) {
			out = append(out, i)
		}
	}
	return out
}

// headings lists some sections in words.
func headings(all []extract.Section, idx []int) string {
	var b strings.Builder
	for n, i := range idx {
		if n == 8 {
			fmt.Fprintf(&b, " and %d more", len(idx)-n)
			break
		}
		if n > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q (page %d)", all[i].Heading(), all[i].Page)
	}
	return b.String()
}
