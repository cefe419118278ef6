package serve

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSelfSigned: a certificate is made once and kept, for its owner alone, and made again for another name or near its end.
func TestSelfSigned(t *testing.T) {
	dir := t.TempDir()
	cfg, first, err := SelfSigned(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(cfg.Certificates[0].Certificate[0]); strings.ReplaceAll(first, ":", "") != fmt.Sprintf("%X", sum) {
		t.Errorf("the fingerprint is %s", first)
	}
	if _, again, err := SelfSigned(dir, nil); again != first || err != nil {
		t.Errorf("again: %s, %v", again, err)
	}
	info, err := os.Stat(filepath.Join(dir, "tls", "key.pem"))
	if err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("the key: %v, %v", info.Mode(), err)
	}
	cfg, other, err := SelfSigned(dir, []string{"docs.example", "10.0.0.7"})
	if other == first || err != nil {
		t.Errorf("for another name: %s, %v", other, err)
	}
	leaf := cfg.Certificates[0].Leaf
	for _, h := range []string{"localhost", "127.0.0.1", "::1", "docs.example", "10.0.0.7"} {
		if err := leaf.VerifyHostname(h); err != nil {
			t.Error(err)
		}
	}
	if !serves(leaf, []string{"localhost"}, time.Now()) || serves(leaf, []string{"localhost"}, time.Now().Add(380*24*time.Hour)) || serves(leaf, []string{"x.example"}, time.Now()) {
		t.Error("when it is good is not told right")
	}
	if err := os.Remove(filepath.Join(dir, "tls", "key.pem")); err != nil { // as after a crash
		t.Fatal(err)
	}
	if _, third, err := SelfSigned(dir, nil); third == other || err != nil {
		t.Errorf("without its key: %s, %v", third, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tls", "cert.pem"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := SelfSigned(dir, nil); err == nil || !strings.Contains(err.Error(), "remove the folder") {
		t.Errorf("a broken one: %v", err)
	}
}

// TestTLS: the server speaks HTTP/2 and HTTP/1.1 over TLS, its own origin is then https, and its certificate is the one that it says.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	cfg, _, err := SelfSigned(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, s := open(t, Options{TLS: cfg})
	url := start(t, s)
	roots := x509.NewCertPool()
	roots.AddCert(cfg.Certificates[0].Leaf)
	for proto, h2 := range map[string]bool{"HTTP/2.0": true, "HTTP/1.1": false} {
		tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: h2}
		defer tr.CloseIdleConnections()
		c := &http.Client{Transport: tr}
		res, err := c.Get(url + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != 200 || res.Proto != proto {
			t.Errorf("%s: %s", res.Proto, res.Status)
		}
		for origin, want := range map[string]int{url: 200, strings.Replace(url, "https", "http", 1): 403} {
			if code, text := send(t, c, "GET", url+"/healthz", "", map[string]string{"Origin": origin}); code != want {
				t.Errorf("%s from %s: %d %s", proto, origin, code, text)
			}
		}
	}
	if _, err := Listen("0.0.0.0:0", s.Options()); err == nil || !strings.Contains(err.Error(), "token") {
		t.Errorf("an address of all networks without a token, with TLS: %v", err)
	}
}
