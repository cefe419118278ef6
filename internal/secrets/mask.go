package secrets

import (
	"bytes"
	"math"
	"regexp"
	"strings"
)

// A kind is a form that secrets have.
type kind struct {
	name  string
	hints []string // one of these stands in a text that has the kind, in small letters
	re    *regexp.Regexp
	group int                      // of the secret itself
	ok    func(secret []byte) bool // nil: every match is one
	alone bool                     // only between white space, quotes and the ends of the text
}

// kinds are looked for in this order; what one has masked is no other.
var kinds = []kind{
	{name: "private key", hints: []string{"private key"}, re: regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)`), group: 1},
	{name: "private key", hints: []string{"private key"}, re: regexp.MustCompile(`(?s)\A(.*?)-----END [A-Z0-9 ]{0,40}PRIVATE KEY`), group: 1, ok: keyTail},
	{name: "key material", hints: []string{"="}, re: regexp.MustCompile(`([A-Za-z0-9+/]{60,}={0,2})`), group: 1, ok: keyLine, alone: true},
	{name: "GitHub token", hints: []string{"gh", "github_pat_"}, re: regexp.MustCompile(`\b(gh[opusr]_[A-Za-z0-9_]{30,}|github_pat_[A-Za-z0-9_]{30,})`), group: 1},
	{name: "GitLab token", hints: []string{"glpat-"}, re: regexp.MustCompile(`\b(gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{16,})`), group: 1},
	{name: "AWS key id", hints: []string{"akia", "asia"}, re: regexp.MustCompile(`\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b`), group: 1},
	{name: "Slack token", hints: []string{"xox", "xapp-"}, re: regexp.MustCompile(`\b(xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,})`), group: 1},
	{name: "Slack hook", hints: []string{"hooks.slack.com"}, re: regexp.MustCompile(`hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,})`), group: 1},
	{name: "Stripe key", hints: []string{"_live_", "_test_"}, re: regexp.MustCompile(`\b((?:sk|rk|whsec)_(?:live|test)_[A-Za-z0-9]{16,})`), group: 1},
	{name: "API key", hints: []string{"sk-"}, re: regexp.MustCompile(`\b(sk-(?:ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]{24,})`), group: 1, ok: random},
	{name: "Google key", hints: []string{"aiza", "ya29.", "gocspx-"}, re: regexp.MustCompile(`\b(AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})`), group: 1},
	{name: "npm token", hints: []string{"npm_"}, re: regexp.MustCompile(`\b(npm_[A-Za-z0-9]{36})\b`), group: 1},
	{name: "PyPI token", hints: []string{"pypi-"}, re: regexp.MustCompile(`\b(pypi-[A-Za-z0-9_-]{40,})`), group: 1},
	{name: "token", hints: []string{"hf_", "dop_v1_", "shpat_", "sg.", "rubygems_", "ntn_", "lin_api_"}, re: regexp.MustCompile(`\b(hf_[A-Za-z0-9]{30,}|do[opr]_v1_[a-f0-9]{60,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|SG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}|rubygems_[a-f0-9]{48}|ntn_[A-Za-z0-9]{40,}|lin_api_[A-Za-z0-9]{30,})`), group: 1},
	{name: "Telegram token", hints: []string{":aa"}, re: regexp.MustCompile(`\b([0-9]{8,10}:AA[A-Za-z0-9_-]{32,})`), group: 1},
	{name: "Azure key", hints: []string{"accountkey=", "sharedaccesskey="}, re: regexp.MustCompile(`(?i)(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})`), group: 1},
	{name: "JSON web token", hints: []string{"eyj"}, re: regexp.MustCompile(`\b(eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})`), group: 1},
	{name: "authorization", hints: []string{"bearer ", "basic "}, re: regexp.MustCompile(`(?i)authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+([A-Za-z0-9+/=._~-]{12,})`), group: 1, ok: mixed},
	{name: "password", hints: []string{"://"}, re: regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@"'<>]*:([^\s/@"'<>{}$]{3,})@`), group: 1, ok: noPlaceholder},
	{name: "token", hints: []string{"_authtoken"}, re: regexp.MustCompile(`(?i)_auth(?:Token)?\s*=\s*([A-Za-z0-9+/=._-]{8,})`), group: 1},
	{name: "secret", hints: []string{"passw", "pwd", "secret", "token", "api", "access", "private", "key"}, re: regexp.MustCompile(
		`(?i)(?:password|passwd|pwd|secret|token|api_?key|apikey|access_?key(?:_?id)?|secret_?key|private_?key|client_?secret|auth_?key|credential)s?["']?\s*(?::=|=>|=|:)\s*["'` + "`" + `]?([A-Za-z0-9+/=_.~!@#%^*-]{8,})`), group: 1, ok: random},
}

// Mask masks the secrets of a text in place, and returns how many there were.
func Mask(text []byte) int {
	if len(text) < 8 {
		return 0
	}
	low := bytes.ToLower(text)
	n := 0
	for i := range kinds {
		k := &kinds[i]
		if !k.hinted(low) {
			continue
		}
		for _, at := range k.re.FindAllSubmatchIndex(text, -1) {
			from, to := at[2*k.group], at[2*k.group+1]
			if from < 0 || from == to || covered(text[from:to]) || k.ok != nil && !k.ok(text[from:to]) || k.alone && !alone(text, from, to) {
				continue
			}
			cover(text[from:to], k.name)
			n++
		}
	}
	return n
}

func (k *kind) hinted(low []byte) bool {
	if k.name == "key material" {
		return true
	}
	for _, h := range k.hints {
		if bytes.Contains(low, []byte(h)) {
			return true
		}
	}
	return false
}

// MaskString is Mask for a string; it returns s itself when there is nothing.
func MaskString(s string) (string, int) {
	b := []byte(s)
	if n := Mask(b); n > 0 {
		return string(b), n
	}
	return s, 0
}

// alone reports whether a part of a text stands between white space, quotes and ends.
func alone(text []byte, from, to int) bool {
	edge := func(c byte) bool { return c <= ' ' || c == '"' || c == '\'' || c == '\\' }
	return (from == 0 || edge(text[from-1])) && (to == len(text) || edge(text[to]))
}

// cover writes the mask over a secret, its kind at the beginning of the first line that has room. Line ends stay.
func cover(b []byte, name string) {
	label := "[masked: " + name + "]"
	for len(b) > 0 {
		end := bytes.IndexAny(b, "\r\n")
		if end < 0 {
			end = len(b)
		}
		for i := range b[:end] {
			b[i] = '*'
		}
		if end >= len(label) {
			copy(b, label)
			label = strings.Repeat("*", len(label))
		}
		b = b[min(end+1, len(b)):]
	}
}

// covered reports whether a text is a mask already.
func covered(b []byte) bool {
	return bytes.HasPrefix(b, []byte("[masked:")) || len(bytes.Trim(b, "*\r\n\t ")) == 0 || bytes.Contains(b, []byte("****"))
}

// keyTail reports whether what stands before the end of a private key is the rest of one.
func keyTail(b []byte) bool {
	return !bytes.Contains(b, []byte("PRIVATE KEY")) && len(bytes.TrimSpace(b)) > 0 && len(b) < 16<<10 && keyLike(b)
}

// keyLike reports whether a text is lines of base64.
func keyLike(b []byte) bool {
	for _, l := range bytes.Fields(b) {
		for _, c := range l {
			if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '=') {
				return false
			}
		}
	}
	return true
}

// keyLine reports whether a run of base64 is so random that it is a key.
func keyLine(b []byte) bool { return len(b) <= 200 && classes(b) == 3 && entropy(b) > 4.3 }

func classes(b []byte) int {
	return b2i(bytes.ContainsAny(b, "abcdefghijklmnopqrstuvwxyz")) + b2i(bytes.ContainsAny(b, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) + b2i(bytes.ContainsAny(b, "0123456789"))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// entropy is that of the bytes, in bits for each.
func entropy(b []byte) float64 {
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(b))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// mixed reports whether a value has letters and digits and is no placeholder.
func mixed(b []byte) bool { return classes(b) >= 2 && noPlaceholder(b) }

// noPlaceholder reports whether a value does not stand for another.
func noPlaceholder(b []byte) bool {
	low := strings.ToLower(string(b))
	for _, p := range []string{"example", "changeme", "change_me", "change-me", "placeholder", "your", "xxxx", "****", "...", "password", "secret", "dummy", "redacted", "none", "null", "token_", "test123", "hunter"} {
		if strings.Contains(low, p) {
			return false
		}
	}
	return true
}

// random reports whether a value that is given to a name looks like no word, number, path or name of a program.
func random(b []byte) bool {
	s := strings.TrimRight(string(b), ".")
	if !noPlaceholder(b) || classes(b) < 2 || !bytes.ContainsAny(b, "0123456789") {
		return false
	}
	if strings.Contains(s, ".") && !strings.ContainsAny(s, "0123456789+/=") || strings.Count(s, "/") > 2 || strings.Contains(s, "==") && !strings.HasSuffix(s, "==") {
		return false
	}
	digits := 0
	for _, c := range s {
		digits += b2i(c >= '0' && c <= '9')
	}
	if digits == len(s) || digits < 2 {
		return false
	}
	return len(s) >= 12 && entropy(b) > 3.0 || len(s) >= 8 && classes(b) == 3 && entropy(b) >= 2.7
}
