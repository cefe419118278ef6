package proof

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/visible"
)

// markdown is the answer as Markdown. Texts that are not ours are escaped, or stand in fences that they cannot close.
func (w *writer) markdown() []byte {
	var b strings.Builder
	title := "Answer with its evidence"
	if w.a.Question != "" {
		title = w.a.Question
	}
	fmt.Fprintf(&b, "# %s\n\n", escape(oneLine(title)))
	proofs := map[string]*proven{}
	for i := range w.proofs {
		proofs[w.proofs[i].Key] = &w.proofs[i]
	}
	for _, part := range blocks(w.a.Text) {
		if part.code {
			b.WriteString(fenced(part.text))
			continue
		}
		for line := range strings.Lines(part.text) {
			var p strings.Builder
			w.linked(strings.TrimSpace(line), func(s string) { p.WriteString(escape(visible.Text(s))) }, func(key string) {
				if href, _ := proofs[key].link(); href != "" {
					fmt.Fprintf(&p, "[%s](%s)", key, href)
					return
				}
				p.WriteString(key)
			})
			b.WriteString(first(p.String()) + "\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("## Evidence\n")
	for i := range w.proofs {
		p := &w.proofs[i]
		fmt.Fprintf(&b, "\n### %s: %s\n\n", escape(p.Key), escape(oneLine(p.At.String())))
		if href, what := p.link(); href != "" {
			fmt.Fprintf(&b, "Proof: [%s](%s)\n\n", what, href)
		}
		for _, q := range w.quotes(p.Key) {
			fmt.Fprintf(&b, "Quoted: %s\n\n", escape(oneLine(q)))
		}
		for _, m := range p.missing {
			fmt.Fprintf(&b, "Not marked: %s\n\n", escape(oneLine(m)))
		}
		b.WriteString(strings.TrimSuffix(fenced(p.Text), "\n"))
	}
	b.WriteString("\n[README.txt](README.txt) says how to check all of this.\n")
	return []byte(b.String())
}

// fenced is a listing whose fence is longer than any in it.
func fenced(s string) string {
	s = visible.Text(strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\n"))
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "text\n" + s + "\n" + fence + "\n\n"
}

// signs have a meaning in Markdown anywhere; "://", "www." and "@" make links of their own on some sites.
var signs = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "#", `\#`, "~", `\~`, "&", `\&`, "$", `\$`,
	"!", `\!`, "://", `:\//`, "www.", `www\.`, "WWW.", `WWW\.`, "@", `\@`)

func escape(s string) string { return signs.Replace(s) }

// first escapes what has a meaning at the beginning of a line only.
func first(line string) string {
	if line != "" && strings.ContainsRune("-+=:", rune(line[0])) {
		return `\` + line
	}
	digits := strings.TrimLeft(line, "0123456789")
	if len(digits) < len(line) && digits != "" && (digits[0] == '.' || digits[0] == ')') {
		return line[:len(line)-len(digits)] + `\` + digits
	}
	return line
}
