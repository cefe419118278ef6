package httpguard

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// check refuses what is not for this server, or from a page that is not its own.
func (g *Guard) check(r *http.Request, public bool) error {
	// What decides must not be there twice: we would read one, and a proxy before us another.
	for _, name := range []string{"Origin", "Sec-Fetch-Site", "Authorization", "Content-Type", "Content-Encoding"} {
		if len(r.Header[name]) > 1 {
			return Errorf(http.StatusBadRequest, "the header %s is there %d times", name, len(r.Header[name]))
		}
	}
	bound := boundTo(r)
	if host, ok := hostName(r.Host); !ok || !g.known(host, bound) {
		return Errorf(http.StatusMisdirectedRequest, "host %q is not one of this server's: it can be allowed with --host NAME", clip(r.Host))
	}
	origin := r.Header.Get("Origin")
	if !slices.Contains(g.opt.Origins, origin) {
		if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
			return Errorf(http.StatusForbidden, "requests from other sites are refused: an origin can be allowed with --origin URL")
		}
		own := "http://" + r.Host // an origin is scheme, host and port alone
		if r.TLS != nil {
			own = "https://" + r.Host
		}
		if origin != "" && !strings.EqualFold(origin, own) {
			return Errorf(http.StatusForbidden, "origin %q is refused: it can be allowed with --origin URL", clip(origin))
		}
	}
	if public {
		return nil
	}
	if g.opt.Token == "" {
		// A server that listens by [Listen] is refused before; another one, in which a guard is mounted, here.
		if bound.IsValid() && !bound.IsLoopback() {
			return Errorf(http.StatusForbidden, "an address that other machines reach needs a token, and this server has none")
		}
		return nil
	}
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	want, got := sha256.Sum256([]byte(g.opt.Token)), sha256.Sum256([]byte(strings.TrimSpace(token)))
	if !strings.EqualFold(kind, "Bearer") || subtle.ConstantTimeCompare(want[:], got[:]) != 1 {
		return Errorf(http.StatusUnauthorized, "a token is needed: Authorization: Bearer TOKEN")
	}
	return nil
}

// hostName returns the name or address of a Host header in small letters, without port, brackets and a dot at the end.
func hostName(h string) (string, bool) {
	if i := strings.LastIndexByte(h, ':'); i > strings.LastIndexByte(h, ']') {
		if _, err := strconv.ParseUint(h[i+1:], 10, 16); err != nil {
			return "", false
		}
		h = h[:i]
	}
	if inner, ok := strings.CutPrefix(h, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		ip, err := netip.ParseAddr(inner)
		return ip.Unmap().String(), ok && err == nil && ip.Is6() && ip.Zone() == ""
	}
	h = strings.ToLower(strings.TrimSuffix(h, "."))
	odd := strings.ContainsFunc(h, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.' && r != '_'
	})
	return h, h != "" && !odd
}

// known reports whether requests may be for a host. An unspecified address such as 0.0.0.0 is bound to, but is nobody's name: browsers take it to this
// machine, past what keeps pages from it.
func (g *Guard) known(host string, bound netip.Addr) bool {
	if ip, err := netip.ParseAddr(host); err == nil && (ip.IsLoopback() || ip == bound && !ip.IsUnspecified()) {
		return true
	}
	return host == "localhost" || slices.ContainsFunc(g.opt.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// boundTo returns the address that a request came to; the zero value when it came by no network.
func boundTo(r *http.Request) netip.Addr {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if addr == nil {
		return netip.Addr{}
	}
	return hostOf(addr)
}

// hostOf returns an address without its port; the zero value when there is none.
func hostOf(addr net.Addr) netip.Addr {
	ap, err := netip.ParseAddrPort(addr.String())
	if err != nil { // no address of the network
		return netip.Addr{}
	}
	return ap.Addr().Unmap().WithZone("")
}

// CheckType returns a body's content type, and refuses one that is not among those allowed. None of them may be one that a form can send.
func CheckType(r *http.Request, allowed ...string) (string, error) {
	if enc := r.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return "", Errorf(http.StatusUnsupportedMediaType, "content encoding %q: send the body as it is", clip(enc))
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !slices.Contains(allowed, kind) {
		return "", Errorf(http.StatusUnsupportedMediaType, "content type %q: send the header Content-Type: %s", clip(r.Header.Get("Content-Type")), strings.Join(allowed, " or "))
	}
	if c := params["charset"]; c != "" && !strings.EqualFold(c, "utf-8") {
		return "", Errorf(http.StatusUnsupportedMediaType, "charset %q: send UTF-8", clip(c))
	}
	return kind, nil
}

// checkAddress refuses to serve an address without a token, unless it is one of the machine itself. all reports whether other machines reach it.
func checkAddress(addr net.Addr, token string) (all bool, err error) {
	if token != "" && len(token) < minToken {
		return false, fmt.Errorf("the token has %d characters: give at least %d", len(token), minToken)
	}
	if hostOf(addr).IsLoopback() {
		return false, nil
	}
	if token == "" {
		return true, fmt.Errorf("%s: an address that other machines reach needs a token: give one with --token-file FILE or FINDSPOT_TOKEN, or listen on 127.0.0.1", addr)
	}
	return true, nil
}

func clip(s string) string { return s[:min(len(s), 100)] }
