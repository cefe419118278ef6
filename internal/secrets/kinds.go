package secrets

import (
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A kind is a form that secrets have.
type kind struct {
	name   string
	starts []string                             // a match begins with one of these, in small letters
	re     pattern                              // its first group is the secret
	ok     func(secret []byte) bool             // nil: every match is one
	alone  bool                                 // only between white space, quotes and the ends of the text
	from   func(text []byte, at int) int        // where a match begins that has one of starts at a place, if not there
	scan   func(text []byte, at []int) [][2]int // finds the secrets that re does, with the places of starts; nil: re does
}

// A pattern is one for a whole text, and the same at the beginning of one.
type pattern struct {
	anywhere, here *lazyregexp.Regexp
	bounded        bool // begins at the edge of a word
}

func expr(s string) pattern {
	return pattern{anywhere: lazyregexp.New(s), here: lazyregexp.New(`\A(?:` + s + `)`), bounded: strings.HasPrefix(s, `\b`)}
}

// kinds are looked for in this order; what one has masked is no other.
var kinds = []kind{
	{name: "private key", starts: []string{"-----begin "}, re: expr(`(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)`), scan: privateKeys},
	{name: "private key", starts: []string{"-----end "}, re: expr(`(?s)\A(.*?)-----END [A-Z0-9 ]{0,40}PRIVATE KEY`), ok: keyTail, scan: keyEnd},
	{name: "key material", re: expr(`([A-Za-z0-9+/]{60,}={0,2})`), ok: keyLine, alone: true, scan: base64Runs},
	{name: "GitHub token", starts: []string{"gho_", "ghp_", "ghu_", "ghs_", "ghr_", "github_pat_"}, re: expr(`\b(gh[opusr]_[A-Za-z0-9_]{30,}|github_pat_[A-Za-z0-9_]{30,})`)},
	{name: "GitLab token", starts: []string{"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-"}, re: expr(`\b(gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{16,})`)},
	{name: "AWS key id", starts: []string{"akia", "asia", "abia", "acca"}, re: expr(`\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b`)},
	{name: "Slack token", starts: []string{"xox", "xapp-"}, re: expr(`\b(xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,})`)},
	{name: "Slack hook", starts: []string{"hooks.slack.com/"}, re: expr(`hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,})`)},
	{name: "Stripe key", starts: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"}, re: expr(`\b((?:sk|rk|whsec)_(?:live|test)_[A-Za-z0-9]{16,})`)},
	{name: "API key", starts: []string{"sk-"}, re: expr(`\b(sk-(?:ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]{24,})`), ok: random},
	{name: "Google key", starts: []string{"aiza", "ya29.", "gocspx-"}, re: expr(`\b(AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})`)},
	{name: "npm token", starts: []string{"npm_"}, re: expr(`\b(npm_[A-Za-z0-9]{36})\b`)},
	{name: "PyPI token", starts: []string{"pypi-"}, re: expr(`\b(pypi-[A-Za-z0-9_-]{40,})`)},
	{name: "token", starts: []string{"hf_", "dop_v1_", "doo_v1_", "dor_v1_", "shpat_", "shpca_", "shppa_", "shpss_", "sg.", "rubygems_", "ntn_", "lin_api_"}, re: expr(`\b(hf_[A-Za-z0-9]{30,}|do[opr]_v1_[a-f0-9]{60,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|SG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}|rubygems_[a-f0-9]{48}|ntn_[A-Za-z0-9]{40,}|lin_api_[A-Za-z0-9]{30,})`)},
	{name: "Telegram token", starts: []string{":aa"}, re: expr(`\b([0-9]{8,10}:AA[A-Za-z0-9_-]{32,})`), from: digitsStart},
	{name: "Azure key", starts: []string{"accountkey=", "sharedaccesskey="}, re: expr(`(?i)(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})`)},
	{name: "JSON web token", starts: []string{".eyj"}, re: expr(`\b(eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})`), from: tokenStart},
	{name: "authorization", starts: []string{"authorization"}, re: expr(`(?i)authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+([A-Za-z0-9+/=._~-]{12,})`), ok: mixed},
	{name: "password", starts: []string{"://"}, re: expr(`[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@"'<>]*:([^\s/@"'<>{}$]{3,})@`), ok: noPlaceholder, from: schemeStart},
	{name: "token", starts: []string{"_auth"}, re: expr(`(?i)_auth(?:Token)?\s*=\s*([A-Za-z0-9+/=._-]{8,})`), ok: random},
	{name: "password", starts: []string{"passw", "passphrase", "pwd", "secret"}, re: expr(`(?i)(?:password|passwd|passphrase|pwd|secret)["']?\s*(?::=|=>|=|:)\s*["']([^\s"']{6,})["']`), ok: password},
	{name: "secret", starts: []string{"passw", "pwd", "secret", "token", "api", "access", "private", "client", "auth", "credential"}, re: expr(
		`(?i)(?:password|passwd|pwd|secret|token|api_?key|apikey|access_?key(?:_?id)?|secret_?key|private_?key|client_?secret|auth_?key|credential)s?["']?\s*(?::=|=>|=|:)\s*["'` + "`" + `]?([A-Za-z0-9+/=_.~!@#%^*-]{8,})`), ok: random},
}
