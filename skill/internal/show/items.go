package show

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// ItemText is an item with its whole text.
func ItemText(it evidence.Item) string {
	var how []string
	for _, s := range []string{it.Tier, it.Via, it.Level, it.Note} {
		if s != "" {
			how = append(how, s)
		}
	}
	line := fmt.Sprintf("[%s] %s %s", it.Key, it.Kind, it.At)
	if len(how) > 0 {
		line += " (" + strings.Join(how, ", ") + ")"
	}
	return line + "\n    " + strings.ReplaceAll(strings.TrimRight(it.Text, "\n"), "\n", "\n    ")
}

// ItemLine is one piece of evidence as a list shows it.
func ItemLine(it evidence.Item) string {
	s := strings.Join(strings.Fields(it.Text), " ")
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200]) + " ..."
	}
	return fmt.Sprintf("  [%s] %s: %s\n", it.Key, it.At, s)
}

// WithItems puts behind a text the items that it does not show under their key.
func WithItems(s string, items []evidence.Item) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(s, "\n"))
	for _, it := range items {
		if !strings.Contains(s, "["+it.Key+"]") {
			b.WriteString("\n" + ItemText(it))
		}
	}
	return b.String()
}

var (
	bracketed = lazyregexp.New(`\[[DC]\d+(?:\s*[,;]\s*[DC]\d+)*\]`)
	keyRule   = lazyregexp.New(`[DC]\d+`)
)

// Rekey writes the keys of one ledger in place of another's: given says what each key is now. Keys it does not know mean nothing
// in the new ledger, and lose their brackets.
func Rekey(s string, given map[string]string) string {
	same := true
	for old, now := range given {
		same = same && old == now
	}
	if same {
		return s
	}
	return Rewrite(s, func(s string) string { return newKeys(s, given) })
}

// newKeys writes keys in place of others.
func newKeys(s string, given map[string]string) string {
	return bracketed.ReplaceAllStringFunc(s, func(m string) string {
		known := true
		m = keyRule.ReplaceAllStringFunc(m, func(k string) string {
			now, ok := given[k]
			known = known && ok
			return cmp.Or(now, k)
		})
		if !known {
			return "(" + m[1:len(m)-1] + ")"
		}
		return m
	})
}

// Remarks are what the host's hooks say about a result.
func Remarks(res *skill.Result) string {
	var b strings.Builder
	if t := res.Trimmed; t != (skill.Trimmed{}) {
		fmt.Fprintf(&b, "\n(cut by the host: %d characters and %d pieces of evidence are left out)", t.Runes, t.Items)
	}
	for _, n := range res.Notes {
		fmt.Fprintf(&b, "\n(remark of the host, no evidence: %s)", visible.Text(n))
	}
	return b.String()
}
