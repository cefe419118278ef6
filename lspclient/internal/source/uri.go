package source

import (
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// FileURI returns the file URI of an absolute path. Everything but unreserved characters (RFC 3986) and "/" is escaped,
// the colon of a drive too, as servers built on the vscode-uri package expect.
func FileURI(abs string) string {
	p := filepath.ToSlash(abs)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	var b strings.Builder
	b.WriteString("file://")
	for i := range len(p) {
		c := p[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// PathOf returns the absolute path of a file URI. The second value is false when it is none: another scheme, another
// host, a path that is not absolute or holds a zero byte.
func PathOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	p := u.Path
	if runtime.GOOS == "windows" && len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = p[1:]
	}
	abs := filepath.FromSlash(p)
	if !filepath.IsAbs(abs) || strings.ContainsRune(abs, 0) {
		return "", false
	}
	return filepath.Clean(abs), true
}
