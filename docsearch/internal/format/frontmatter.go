package format

import (
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// maxFrontMatter bounds the lines of a front matter; what is longer is none.
const maxFrontMatter = 200

// frontMatter returns the lines of the block of YAML with which Markdown files begin for pandoc, Jekyll, Hugo or Obsidian, between a line "---" and one of "---" or "...";
// its first and last line are not among them. There is none where a line is neither blank, indented, a comment, an element of a list nor "key: value".
func frontMatter(s string) []string {
	first, rest, ok := strings.Cut(s, "\n")
	if !ok || strings.TrimRight(first, " \t") != "---" {
		return nil
	}
	var out []string
	for line := range strings.SplitSeq(rest, "\n") {
		line = strings.TrimRight(line, " \t")
		if line == "---" || line == "..." {
			return out
		}
		if len(out) == maxFrontMatter || line != "" && line[0] != ' ' && line[0] != '\t' && line[0] != '#' && !strings.HasPrefix(line, "- ") && !yamlKey.MatchString(line) {
			return nil
		}
		out = append(out, line)
	}
	return nil
}

var (
	yamlKey = lazyregexp.New(`^["']?[\pL_][\pL\pN_. -]*["']?[ ]*:(?: |$)`)
	isoDay  = lazyregexp.New(`^\d{4}(?:-\d\d(?:-\d\d)?)?`)
)

// describe takes what a front matter says of a document: title, author or authors, and date.
func describe(m *extract.Meta, lines []string) {
	for i := 0; i < len(lines); i++ {
		key, value, ok := strings.Cut(lines[i], ":")
		if !ok || strings.HasPrefix(key, " ") {
			continue
		}
		value = strings.TrimSpace(value)
		var list []string
		for value == "" && i+1 < len(lines) { // a list in lines of its own
			el, ok := strings.CutPrefix(strings.TrimSpace(lines[i+1]), "- ")
			if !ok && !(len(list) > 0 && strings.HasPrefix(lines[i+1], " ")) { // of an element in several lines the first counts
				break
			}
			if i++; ok {
				list = append(list, strings.TrimPrefix(el, "name:"))
			}
		}
		if inner, ok := strings.CutPrefix(value, "["); ok {
			list = strings.Split(strings.TrimSuffix(inner, "]"), ",")
		} else if value != "" {
			list = []string{value}
		}
		var plain []string
		for _, s := range list {
			if s = unquote(s); s != "" {
				plain = append(plain, clip(s, maxTitle))
			}
		}
		if len(plain) == 0 {
			continue
		}
		switch strings.ToLower(strings.Trim(strings.TrimSpace(key), `"'`)) {
		case "title":
			m.Title = plain[0]
		case "author", "authors":
			m.Authors = plain
		case "date":
			m.Date = isoDay.FindString(plain[0])
		}
	}
}

// unquote returns a scalar of YAML without its quotes, or without a comment.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	for _, q := range []string{`"`, "'"} {
		if rest, ok := strings.CutPrefix(s, q); ok {
			inner, _, _ := strings.Cut(rest, q)
			return strings.TrimSpace(inner)
		}
	}
	s, _, _ = strings.Cut(s, " #")
	return strings.TrimSpace(s)
}
