package lspclient

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/rootfs"
)

// maxFile bounds the files that are read, in bytes: what is larger is no source that a server would read either.
const maxFile = 16 << 20

// Outside reports whether the location is not below the client's root: its path is absolute, or a URI that is no file.
func (l Location) Outside() bool {
	return path.IsAbs(l.Path) || strings.Contains(l.Path, ":/")
}

// maxPath bounds a path that a caller names, in bytes.
const maxPath = 4096

// lexical returns the absolute path that a caller names: relative to the root, or absolute and below it. It does not look
// at the disk. A path that is no UTF-8 is refused: servers decode URIs, and some die of one that does not decode.
func (c *Client) lexical(name string) (string, error) {
	if name == "" || len(name) > maxPath || strings.ContainsRune(name, 0) || !utf8.ValidString(name) {
		return "", fmt.Errorf("%q is no file name: %w", clip(name, 100), ErrNotFound)
	}
	abs := filepath.FromSlash(name)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(c.root, abs)
	}
	abs = filepath.Clean(abs)
	if !below(c.root, abs) {
		return "", fmt.Errorf("%s is not below %s: %w", name, c.root, ErrUnsupported)
	}
	return abs, nil
}

// within returns the absolute path of a file named by a caller, which must be on disk or have an overlay.
func (c *Client) within(name string) (string, error) {
	abs, err := c.lexical(name)
	if err != nil {
		return "", err
	}
	if c.overlays.of(abs) != nil {
		return abs, nil
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	if !below(c.root, real) {
		return "", fmt.Errorf("%s links to %s, which is not below %s: %w", name, real, c.root, ErrUnsupported)
	}
	return abs, nil
}

// relative returns the form of an absolute path that callers see.
func (c *Client) relative(abs string) string {
	if below(c.root, abs) {
		if rel, err := filepath.Rel(c.root, abs); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(abs)
}

// readFile reads a regular file of at most maxFile bytes, as UTF-8.
func readFile(abs string) (*content, os.FileInfo, error) {
	info, err := os.Stat(abs)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w: not a regular file", abs, ErrUnsupported)
	}
	f, err := rootfs.Open(abs)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	room := max(0, min(info.Size(), maxFile)) + bytes.MinRead // so that it need not grow, unless the file does
	buf := bytes.NewBuffer(make([]byte, 0, room))
	if _, err := buf.ReadFrom(io.LimitReader(f, maxFile+1)); err != nil {
		return nil, nil, err
	}
	text := buf.Bytes()
	raw := text
	if len(text) > maxFile {
		return nil, nil, fmt.Errorf("%s: %w: more than %d bytes", abs, ErrTooLarge, maxFile)
	}
	if text = charset.UTF8(abs, text); !isText(text) {
		return nil, nil, fmt.Errorf("%s: %w: not text", abs, ErrUnsupported)
	}
	c := newContent(text)
	c.bom = bytes.HasPrefix(raw, []byte("\ufeff"))
	c.foreign = !bytes.HasSuffix(raw, text)
	return c, info, nil
}

// uriOf returns the file URI of an absolute path. Everything but unreserved characters (RFC 3986) and "/" is escaped,
// the colon of a drive too, as servers built on the vscode-uri package expect.
func uriOf(abs string) string {
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

// pathOf returns the absolute path of a file URI. The second value is false when it is none: another scheme, another
// host, a path that is not absolute or holds a zero byte.
func pathOf(uri string) (string, bool) {
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

// shortHash names a folder among others.
func shortHash(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}
