package proof

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill/evidence"
)

const style = `
:root { color-scheme: light dark; --text: #1d1d1f; --soft: #5c5c63; --page: #fff; --card: #f6f6f4; --line: #deded8; --link: #0b57a4; --mark: #ffe9a8 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8e8ea; --soft: #a3a3ab; --page: #17181a; --card: #202225; --line: #36383d; --link: #8fc1ff; --mark: #5a4a12 }
}
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 46rem; background: var(--page); color: var(--text); font: 1rem/1.6 system-ui, sans-serif }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 1.5rem }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem }
a { color: var(--link) }
p, pre { white-space: pre-wrap; overflow-wrap: anywhere }
pre { font: .85rem/1.5 ui-monospace, monospace; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem; margin: .75rem 0 }
article { border: 1px solid var(--line); border-radius: .5rem; padding: .25rem 1rem 1rem; margin: 1rem 0; scroll-margin-top: 1rem }
article:target { background: var(--mark) }
article h3 { font-size: 1rem; margin: .75rem 0 .25rem; overflow-wrap: anywhere }
.key { font-weight: 600 }
.soft { color: var(--soft); font-size: .9rem }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
`

// html is the answer as a page. Every text goes through text, and every address is one that this package made.
func (w *writer) html() []byte {
	hash := sha256.Sum256([]byte(style))
	var b strings.Builder
	title := "Answer with its evidence"
	if w.a.Question != "" {
		title = oneLine(w.a.Question)
	}
	fmt.Fprintf(&b, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>%s</style>
</head>
<body>
<main>
<h1 dir="auto">%s</h1>
`, base64.StdEncoding.EncodeToString(hash[:]), text(title), style, text(title))
	for _, part := range blocks(w.a.Text) {
		if part.code {
			fmt.Fprintf(&b, "<pre dir=\"auto\">%s</pre>\n", text(part.text))
			continue
		}
		b.WriteString(`<p dir="auto">`)
		w.linked(part.text, func(s string, _ bool) { b.WriteString(text(s)) }, func(key string) {
			fmt.Fprintf(&b, `<a class="key" href="#%s">%s</a>`, key, key)
		})
		b.WriteString("</p>\n")
	}
	b.WriteString("<h2>Evidence</h2>\n")
	for i := range w.proofs {
		w.article(&b, &w.proofs[i])
	}
	b.WriteString(`<h2>How to check this</h2>
<p>The highlighted places of the PDFs, and the lines of the excerpts, are what each key stands for. <a href="README.txt">README.txt</a> says how to make sure that no file has changed, and that the PDFs are the originals. <a href="answer.json">answer.json</a> is the sealed answer, which findspot verify checks against the sources.</p>
</main>
</body>
</html>
`)
	return []byte(b.String())
}

// article is an item with what proves it.
func (w *writer) article(b *strings.Builder, p *proven) {
	fmt.Fprintf(b, "<article id=\"%s\">\n<h3 dir=\"auto\">[%s] %s</h3>\n", text(p.Key), text(p.Key), text(oneLine(p.At.String())))
	var links []string
	if href, what := p.link(); href != "" {
		links = append(links, fmt.Sprintf(`<a href="%s">%s</a>`, href, what))
		for _, n := range p.pages[min(1, len(p.pages)):] {
			links = append(links, fmt.Sprintf(`<a href="%s#page=%d">page %d</a>`, p.doc.File, n, n))
		}
		if p.excerpt != "" && href != p.excerpt {
			links = append(links, fmt.Sprintf(`<a href="%s">lines with their numbers</a>`, p.excerpt))
		}
	}
	switch {
	case len(links) > 0:
		fmt.Fprintf(b, "<div>Proof: %s</div>\n", strings.Join(links, ", "))
	case p.Derived():
		b.WriteString("<div class=\"soft\">The result of a search: it is no text of a source.</div>\n")
	}
	for _, m := range w.quotes(p.Key) {
		fmt.Fprintf(b, "<div class=\"soft\" dir=\"auto\">Quoted: %s</div>\n", text(oneLine(m)))
	}
	for _, m := range p.missing {
		fmt.Fprintf(b, "<div class=\"soft\" dir=\"auto\">Not marked: %s</div>\n", text(oneLine(m)))
	}
	if p.doc != nil && p.doc.Reason != "" {
		fmt.Fprintf(b, "<div class=\"soft\" dir=\"auto\">The PDF is not marked: %s</div>\n", text(oneLine(p.doc.Reason)))
	}
	fmt.Fprintf(b, "<pre dir=\"auto\">%s</pre>\n", text(p.Text))
	if p.Note != "" {
		fmt.Fprintf(b, "<div class=\"soft\" dir=\"auto\">%s</div>\n", text(oneLine(p.Note)))
	}
	b.WriteString("</article>\n")
}

// quotes are those of the answer under a key.
func (w *writer) quotes(key string) (out []string) {
	for _, q := range w.a.Quotes {
		if q.Key == key {
			out = append(out, q.Text)
		}
	}
	return out
}

// text makes a text fit to stand between tags and in an attribute, with what cannot be seen written out.
func text(s string) string {
	return html.EscapeString(visible.Text(strings.ReplaceAll(s, "\r\n", "\n")))
}

// A block is a paragraph of the answer, or a listing.
type block struct {
	text string
	code bool
	near bool // no empty line before it
}

// blocks cuts an answer at empty lines and fences. Nothing else of it is read as Markdown.
func blocks(s string) (out []block) {
	var b strings.Builder
	fence, near := "", false
	end := func(code bool) {
		if t := strings.Trim(b.String(), "\n"); strings.TrimSpace(t) != "" {
			out, near = append(out, block{t, code, near}), true
		}
		b.Reset()
	}
	for line := range strings.Lines(strings.ReplaceAll(s, "\r\n", "\n")) {
		bare := strings.TrimSpace(line)
		switch {
		case fence != "" && strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "":
			end(true)
			fence = ""
		case fence != "":
			b.WriteString(line)
		case strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~"):
			end(false)
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
		case bare == "":
			end(false)
			near = false
		default:
			b.WriteString(line)
		}
	}
	end(fence != "")
	return out
}

var (
	brackets = lazyregexp.New(`\[[DC][1-9][^\[\]]{0,400}\]`)
	aKey     = lazyregexp.New(`[DC][1-9][0-9]{0,8}`)
)

// linked gives a paragraph in pieces: plain text, which cites where it stands in a bracket around keys or is part of that, and keys of items in brackets that cite.
func (w *writer) linked(s string, plain func(s string, cites bool), key func(string)) {
	at := 0
	for _, m := range brackets.Get().FindAllStringIndex(s, -1) {
		cited := evidence.Keys("x " + s[m[0]:m[1]])
		if len(cited) == 0 || m[0] > 0 && s[m[0]-1] == '\\' {
			continue
		}
		plain(s[at:m[0]], false)
		at = m[0]
		for _, k := range aKey.Get().FindAllStringIndex(s[m[0]:m[1]], -1) {
			name := s[m[0]+k[0] : m[0]+k[1]]
			if !slices.Contains(cited, name) || !slices.ContainsFunc(w.proofs, func(p proven) bool { return p.Key == name }) {
				continue
			}
			plain(s[at:m[0]+k[0]], true)
			key(name)
			at = m[0] + k[1]
		}
		plain(s[at:m[1]], true)
		at = m[1]
	}
	plain(s[at:], false)
}
