package proof

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/visible"
)

// markdown is the answer as Markdown, which package internal/written reads back: the same sentences with the same keys, and what these stand for. Texts that are not
// ours are escaped, or stand in fences that they cannot close.
func (w *writer) markdown() []byte {
	var b strings.Builder
	if w.a.Question != "" {
		fmt.Fprintf(&b, "# Question\n\n%s\n\n", line(oneLine(w.a.Question)))
	}
	b.WriteString("# Answer\n")
	proofs := map[string]*proven{}
	for i := range w.proofs {
		proofs[w.proofs[i].Key] = &w.proofs[i]
	}
	for i, part := range blocks(w.a.Text) {
		if i == 0 || !part.near {
			b.WriteString("\n")
		}
		if part.code {
			b.WriteString(fenced(part.text))
			continue
		}
		var p strings.Builder
		cited := false
		w.linked(part.text, func(s string, cites bool) {
			if !cites {
				s = escape(visible.Text(s))
				if cited && s != "" && strings.ContainsRune("(:", rune(s[0])) { // what would make a link of the bracket
					s = `\` + s
				}
			}
			p.WriteString(s)
			cited = cites
		}, func(key string) {
			if href, _ := proofs[key].link(); href != "" {
				key = fmt.Sprintf("[%s](%s)", key, href)
			}
			p.WriteString(key)
		})
		for s := range strings.Lines(p.String()) {
			b.WriteString(first(strings.TrimSpace(s)) + "\n")
		}
	}
	if len(w.proofs) == 0 {
		return []byte(b.String())
	}
	b.WriteString("\n# Evidence\n")
	for i := range w.proofs {
		p := &w.proofs[i]
		fmt.Fprintf(&b, "\n## %s: %s\n\n", escape(p.Key), escape(oneLine(p.At.String())))
		var notes []string
		if href, what := p.link(); href != "" {
			notes = append(notes, fmt.Sprintf("> Proof: [%s](%s)\n", what, href))
		}
		for _, q := range w.quotes(p.Key) {
			notes = append(notes, fmt.Sprintf("> Quoted: %s\n", escape(oneLine(q))))
		}
		for _, m := range p.missing {
			notes = append(notes, fmt.Sprintf("> Not marked: %s\n", escape(oneLine(m))))
		}
		b.WriteString(strings.Join(notes, ">\n") + "\n" + fenced(p.Text))
	}
	b.WriteString("\n> [README.txt](README.txt) says how to check all of this.\n")
	return []byte(b.String())
}

// fenced is a listing whose fence is longer than any in it.
func fenced(s string) string {
	s = visible.Text(strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\n"))
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "text\n" + s + "\n" + fence + "\n"
}

// signs have a meaning in Markdown anywhere; "://", "www." and "@" make links of their own on some sites.
var signs = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "#", `\#`, "~", `\~`, "&", `\&`, "$", `\$`,
	"!", `\!`, "://", `:\//`, "www.", `www\.`, "WWW.", `WWW\.`, "@", `\@`)

// literal has brackets that an answer has escaped already, so that they are not escaped twice.
var literal = strings.NewReplacer(`\[`, "[")

func escape(s string) string { return signs.Replace(literal.Replace(s)) }

// line is a text on a line of its own.
func line(s string) string { return first(escape(s)) }

// first escapes what has a meaning at the beginning of a line only.
func first(s string) string {
	if s != "" && strings.ContainsRune("-+=:", rune(s[0])) {
		return `\` + s
	}
	digits := strings.TrimLeft(s, "0123456789")
	if len(digits) < len(s) && digits != "" && (digits[0] == '.' || digits[0] == ')') {
		return s[:len(s)-len(digits)] + `\` + digits
	}
	return s
}
