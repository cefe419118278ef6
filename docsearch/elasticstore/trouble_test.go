package elasticstore_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/elasticstore"
)

// TestServerErrors has a server fail some times, or always, at one kind of request: what passes is tried again, so many times and no more.
func TestServerErrors(t *testing.T) {
	write := func(ctx context.Context, s driver.Store) error {
		return s.Replace(ctx, []*driver.Document{aDocument("b", 1)})
	}
	list := func(ctx context.Context, s driver.Store) error {
		_, err := s.List(ctx)
		return err
	}
	search := func(ctx context.Context, s driver.Store) error {
		_, err := s.Search(ctx, &driver.Query{Kind: driver.KindChunk, Match: driver.MatchAny, Groups: driver.Groups("signals"), Limit: 1, PerDoc: 1})
		return err
	}
	const lostShard = "search_phase_execution_exception"
	const always = 1 << 30
	for _, tt := range []struct {
		name   string
		call   func(context.Context, driver.Store) error
		path   string
		status int
		kind   string
		times  int
		tries  int    // requests to path in all
		want   string // "" is success
	}{
		{"write, busy", write, "/_bulk", 503, "", 3, 4, ""},
		{"write, gateway", write, "/_bulk", 502, "", 3, 4, ""},
		{"write, gateway for ever", write, "/_bulk", 504, "", always, 6, "answered 504"},
		{"write, broken", write, "/_bulk", 500, "some_exception", always, 1, "answered 500 some_exception"},
		{"list, busy", list, "/_search", 503, "", 2, 3, ""},
		{"list, a shard is lost", list, "/_search", 500, lostShard, 2, 3, ""},
		{"list, a shard is lost for ever", list, "/_search", 500, lostShard, always, 7, "answered 500 " + lostShard},
		{"list, broken", list, "/_search", 500, "some_exception", always, 1, "answered 500 some_exception"},
		{"search, gateway", search, "/_search", 502, "", 2, 3, ""},
		{"search, a shard is lost", search, "/_search", 500, lostShard, 2, 3, ""},
		{"search, statistics busy", search, "/_msearch", 503, "", 2, 3, ""},
		{"search, statistics broken", search, "/_msearch", 500, "some_exception", always, 1, "answered 500 some_exception"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, srv := newFake(t)
			s := openFake(t, srv, nil)
			if err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 1)}); err != nil {
				t.Fatal(err)
			}
			tries := 0
			f.set(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
				if !strings.HasSuffix(r.URL.Path, tt.path) {
					if strings.HasSuffix(r.URL.Path, "/_msearch") {
						_, _ = io.WriteString(w, `{"responses": [{"status": 200, "hits": {"total": {"value": 1}}}]}`)
						return true
					}
					return false
				}
				if tries++; tries > tt.times {
					if tt.path == "/_msearch" {
						_, _ = io.WriteString(w, `{"responses": [{"status": 200, "hits": {"total": {"value": 1}}}]}`)
						return true
					}
					return false
				}
				w.WriteHeader(tt.status)
				fmt.Fprintf(w, `{"error": {"type": %q, "reason": "of the test"}, "status": %d}`, tt.kind, tt.status)
				return true
			})
			err := tt.call(t.Context(), s)
			f.set(nil)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			// A list or a search that goes on asks more than once.
			if tries < tt.tries || tries > tt.tries && (tt.want != "" || tt.path != "/_search") {
				t.Errorf("%d requests to %s, want %d", tries, tt.path, tt.tries)
			}
		})
	}
}

// TestPatience ends retries with the caller's context.
func TestPatience(t *testing.T) {
	f, srv := newFake(t)
	s := openFake(t, srv, nil)
	f.set(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		return r.Method == http.MethodGet && fail(w, http.StatusServiceUnavailable, "never")
	})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := s.Stats(ctx); err == nil || ctx.Err() == nil {
		t.Errorf("Stats of a server that is always busy: %v, before the deadline: %v", err, ctx.Err() == nil)
	}
	f.set(nil)
}

// TestClientCertificate has a server that speaks only with whom it knows.
func TestClientCertificate(t *testing.T) {
	dir := t.TempDir()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "findspot"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, kind string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	f, plain := newFake(t)
	plain.Close()
	srv := httptest.NewUnstartedServer(f)
	srv.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: x509.NewCertPool()}
	srv.TLS.ClientCAs.AddCert(cert)
	srv.StartTLS()
	defer srv.Close()
	o := &elasticstore.Options{CAFile: file("ca.pem", "CERTIFICATE", srv.Certificate().Raw)}
	if _, err := elasticstore.New(t.Context(), []string{srv.URL}, o); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without a certificate: %v, want an error that says so", err)
	}
	o.CertFile, o.KeyFile = file("cert.pem", "CERTIFICATE", der), file("key.pem", "PRIVATE KEY", secret)
	var seen string
	f.set(func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		if len(r.TLS.PeerCertificates) > 0 {
			seen = r.TLS.PeerCertificates[0].Subject.CommonName
		}
		return false
	})
	s := open(t, []string{srv.URL}, o)
	if err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 1)}); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if seen != "findspot" {
		t.Errorf("the server saw the certificate of %q", seen)
	}
}
