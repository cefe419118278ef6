package httpguard

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Options of [New]. The zero value of each field is its default.
type Options struct {
	Hosts   []string      // names beside the machine's own and the address that requests may be for, without a port
	Origins []string      // origins of web pages that may ask, such as "https://example.org"; those of the server itself need not be listed
	Token   string        // what every request must bring as a bearer token; empty: none
	Calls   int           // requests that are handled at once; others wait. 0 means 16
	Waiting int           // requests that wait; more are answered 503. 0 means 64
	Timeout time.Duration // of one request; 0 means 5 minutes
	Logger  *slog.Logger  // nil discards
}

// minToken is the least length of a token, in bytes.
const minToken = 16

// ErrToken says that an address needs a token.
var ErrToken = errors.New("an address that other machines reach needs a token")

// CheckAddress refuses to serve an address without a token, unless it is one of the machine itself. all reports whether other machines reach it.
func CheckAddress(addr net.Addr, token string) (all bool, err error) {
	if token != "" && len(token) < minToken {
		return false, fmt.Errorf("the token has %d characters: give at least %d", len(token), minToken)
	}
	host, _, err := net.SplitHostPort(addr.String())
	if err != nil {
		return false, err
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.Unmap().IsLoopback() {
		return false, nil
	}
	if token == "" {
		return true, fmt.Errorf("%s: %w: give one with -token-file FILE or FINDSPOT_TOKEN, or listen on 127.0.0.1", addr, ErrToken)
	}
	return true, nil
}

type guard struct {
	next    http.Handler
	opt     Options
	bound   string // the host that is listened on
	calls   chan struct{}
	waiting chan struct{}
}

// New puts the guard before a handler of a server that listens on addr.
func New(next http.Handler, addr net.Addr, o *Options) http.Handler {
	g := &guard{next: next}
	if o != nil {
		g.opt = *o
	}
	if g.opt.Calls <= 0 {
		g.opt.Calls = 16
	}
	if g.opt.Waiting <= 0 {
		g.opt.Waiting = 64
	}
	if g.opt.Timeout <= 0 {
		g.opt.Timeout = 5 * time.Minute
	}
	if g.opt.Logger == nil {
		g.opt.Logger = slog.New(slog.DiscardHandler)
	}
	if addr != nil {
		g.bound, _, _ = net.SplitHostPort(addr.String()) // without a port there is no name to compare
	}
	g.calls, g.waiting = make(chan struct{}, g.opt.Calls), make(chan struct{}, g.opt.Waiting)
	return g
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if code, err := g.check(r); err != nil {
		if code == http.StatusUnauthorized {
			h.Set("WWW-Authenticate", `Bearer realm="findspot"`)
		}
		h.Set("Connection", "close") // its body is not read
		Fail(w, code, err)
		return
	}
	if !g.enter(r.Context()) {
		h.Set("Retry-After", "1")
		h.Set("Connection", "close")
		Fail(w, http.StatusServiceUnavailable, errors.New("too many requests at once: try again"))
		return
	}
	defer func() { <-g.calls }()
	ctx, cancel := context.WithTimeout(r.Context(), g.opt.Timeout)
	defer cancel()
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler {
			panic(p)
		}
		g.opt.Logger.Warn("a handler panicked", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
		Fail(w, http.StatusInternalServerError, errors.New("an error inside of the server; other requests work"))
	}()
	g.next.ServeHTTP(w, r.WithContext(ctx))
}

// enter waits for a place among the requests that are handled.
func (g *guard) enter(ctx context.Context) bool {
	select {
	case g.calls <- struct{}{}:
		return true
	default:
	}
	select {
	case g.waiting <- struct{}{}:
	default:
		return false
	}
	defer func() { <-g.waiting }()
	select {
	case g.calls <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// check refuses what is not for this server, or from a page that is not its own.
func (g *guard) check(r *http.Request) (int, error) {
	host, ok := hostName(r.Host)
	if !ok || !g.known(host) {
		return http.StatusMisdirectedRequest, fmt.Errorf("host %q is not one of this server's: it can be allowed with -host NAME", clip(r.Host))
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		if !slices.Contains(g.opt.Origins, r.Header.Get("Origin")) {
			return http.StatusForbidden, errors.New("requests from other sites are refused: an origin can be allowed with -origin URL")
		}
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		own := err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, r.Host)
		if !own && !slices.Contains(g.opt.Origins, origin) {
			return http.StatusForbidden, fmt.Errorf("origin %q is refused: it can be allowed with -origin URL", clip(origin))
		}
	}
	if g.opt.Token == "" {
		return 0, nil
	}
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	want, got := sha256.Sum256([]byte(g.opt.Token)), sha256.Sum256([]byte(strings.TrimSpace(token)))
	if !strings.EqualFold(kind, "Bearer") || subtle.ConstantTimeCompare(want[:], got[:]) != 1 {
		return http.StatusUnauthorized, errors.New("a token is needed: Authorization: Bearer TOKEN")
	}
	return 0, nil
}

// hostName returns the name or address of a Host header in small letters, without port, brackets and a dot at the end.
func hostName(h string) (string, bool) {
	if h == "" || len(h) > 255 || strings.ContainsAny(h, "@/\\?# \t%,") {
		return "", false
	}
	if strings.HasPrefix(h, "[") || strings.Count(h, ":") == 1 {
		if name, _, err := net.SplitHostPort(h); err == nil {
			h = name
		}
	}
	h = strings.TrimSuffix(strings.TrimPrefix(h, "["), "]")
	return strings.ToLower(strings.TrimSuffix(h, ".")), h != ""
}

func (g *guard) known(host string) bool {
	if host == "localhost" || host == g.bound && host != "" || slices.ContainsFunc(g.opt.Hosts, func(h string) bool { return strings.EqualFold(h, host) }) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func clip(s string) string { return s[:min(len(s), 100)] }

// Fail answers with an error as JSON.
func Fail(w http.ResponseWriter, code int, err error) {
	Reply(w, code, map[string]string{"error": strings.ToValidUTF8(err.Error(), "\uFFFD")})
}

// Reply answers with a value as JSON.
func Reply(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // the client is gone
}
