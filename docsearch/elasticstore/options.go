package elasticstore

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// Options says how a cluster is reached, where in it the library is, and how documents are read.
type Options struct {
	docsearch.Options

	// Prefix stands before the names of the indices, so that several libraries can share a cluster: lower-case letters,
	// digits, "_" and "-", not beginning with "_" or "-", at most 100 characters.
	Prefix string
	// ReadOnly opens a library that exists and writes nothing to the cluster. Adding and removing fail.
	ReadOnly bool

	// User and Password are sent as basic authentication. Instead of them a URL may hold both ("https://user:word@host").
	User, Password string
	// APIKey is the encoded form of an API key, "id:key" in base64. It cannot be set beside User.
	APIKey string
	// CAFile holds the certificates of authorities, in PEM, that alone are trusted for the servers'; "" trusts the system's.
	CAFile string
	// CertFile and KeyFile are the certificate of this client and its key, in PEM; "" sends none.
	CertFile, KeyFile string
	// Gzip compresses what is sent, which pays on slow networks.
	Gzip bool

	// Shards is the number of primary shards of each index when it is created; 0 means 1.
	Shards int
	// Replicas is the number of copies beside the primary shard when an index is created; 0 means one where there is a second
	// node to hold it, and none on a single node.
	Replicas int
	// BulkBytes bounds the size of a request that writes, in bytes; 0 means 8 MB. A record alone may be larger.
	BulkBytes int
	// Timeout bounds one attempt at one request; 0 means 30 seconds. A request with its retries takes at most four times as long.
	Timeout time.Duration
	// Lease is how long a change may go on without a sign of life of its writer before others take it for dead and remove
	// what it left; 0 means 5 minutes. Clocks of writers may differ by as much.
	Lease time.Duration
}

// maxPrefix bounds a prefix, in bytes: the names of indices are limited to 255.
const maxPrefix = 100

var prefixRule = lazyregexp.New(`^([a-z0-9][a-z0-9_-]*)?$`)

// Open opens the library with the given prefix on a cluster, and creates its indices when they are not there, unless it is opened
// read-only. urls are addresses of nodes ("http://127.0.0.1:9200"), which are used in turn; at least one. PDFs are read unless Options
// gives another extractor for ".pdf".
//
// Indices of these names that are not findspot's, or that a newer version laid out, are an error wrapping
// [docsearch.ErrFormat]; a server that is neither Elasticsearch 8 or later nor OpenSearch, or that runs no scripts, is one
// wrapping [docsearch.ErrUnsupported]. A read-only library that is not there is one wrapping [docsearch.ErrNotFound].
func Open(ctx context.Context, urls []string, o *Options) (*docsearch.Library, error) {
	var opt Options
	if o != nil {
		opt = *o
	}
	extractors := map[string]extract.Extractor{".pdf": pdf.New(nil)}
	maps.Copy(extractors, opt.Extractors)
	opt.Extractors = extractors
	s, err := New(ctx, urls, &opt)
	if err != nil {
		return nil, err
	}
	lib, err := docsearch.New(s, &opt.Options)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return lib, nil
}

// New returns the store on a cluster, for use with [docsearch.New]. Of what Options says about reading documents only Logger is used.
func New(ctx context.Context, urls []string, o *Options) (driver.Store, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("document cluster options: %w", err)
	}
	c, err := newClient(urls, &opt)
	if err != nil {
		return nil, fmt.Errorf("document cluster options: %w", err)
	}
	s := newStore(c, &opt)
	if err := s.prepare(ctx); err != nil {
		s.end()
		c.close()
		return nil, err
	}
	return s, nil
}

func (o *Options) withDefaults() (Options, error) {
	var v Options
	if o != nil {
		v = *o
	}
	var bad []error
	report := func(format string, args ...any) {
		bad = append(bad, fmt.Errorf("%w: "+format, append([]any{errs.Unsupported}, args...)...))
	}
	if len(v.Prefix) > maxPrefix || !prefixRule.MatchString(v.Prefix) {
		report(`prefix %q: it must be lower-case letters, digits, "_" and "-", begin with a letter or digit, and have at most %d characters`, v.Prefix, maxPrefix)
	}
	if v.APIKey != "" && (v.User != "" || v.Password != "") {
		report("an API key beside a user: give one of them")
	}
	if (v.User == "") != (v.Password == "") {
		report("a user without a password, or a password without a user")
	}
	if strings.ContainsAny(v.APIKey, "\r\n") {
		report("the API key holds a line break")
	}
	if (v.CertFile == "") != (v.KeyFile == "") {
		report("a certificate without its key, or a key without a certificate")
	}
	for name, n := range map[string]int64{
		"Shards": int64(v.Shards), "Replicas": int64(v.Replicas), "BulkBytes": int64(v.BulkBytes), "Timeout": int64(v.Timeout), "Lease": int64(v.Lease),
	} {
		if n < 0 {
			report("option %s: %d is negative", name, n)
		}
	}
	if v.Shards == 0 {
		v.Shards = 1
	}
	if v.BulkBytes == 0 {
		v.BulkBytes = 8 << 20
	}
	if v.Timeout == 0 {
		v.Timeout = 30 * time.Second
	}
	if v.Lease == 0 {
		v.Lease = 5 * time.Minute
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	return v, errors.Join(bad...)
}

// addresses parses the addresses of nodes and takes user and password out of them, so that no message can hold them.
func addresses(urls []string, o *Options) ([]*url.URL, error) {
	if len(urls) == 0 {
		return nil, fmt.Errorf("%w: no node address", errs.Unsupported)
	}
	var out []*url.URL
	for i, raw := range urls {
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
			return nil, fmt.Errorf("%w: address %d of the nodes is not an http or https URL of a host", errs.Unsupported, i+1)
		}
		if u.User != nil {
			word, _ := u.User.Password()
			if o.APIKey != "" || o.User != "" && (o.User != u.User.Username() || o.Password != word) {
				return nil, fmt.Errorf("%w: the address of %s has a user beside the one, or the API key, of the options or of another address", errs.Unsupported, u.Host)
			}
			if u.User.Username() == "" || word == "" {
				return nil, fmt.Errorf("%w: the address of %s has a user without a password, or a password without a user", errs.Unsupported, u.Host)
			}
			o.User, o.Password = u.User.Username(), word
			u.User = nil
		}
		u.Path = strings.TrimRight(u.Path, "/")
		out = append(out, u)
	}
	return out, nil
}

// tlsConfig reads the files of certificates; it is nil when none is named.
func tlsConfig(o *Options) (*tls.Config, error) {
	if o.CAFile == "" && o.CertFile == "" {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CAFile != "" {
		pem, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, fmt.Errorf("certificates of authorities: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("certificates of authorities: %w: %s contains no certificate in PEM format", errs.Format, o.CAFile)
		}
	}
	if o.CertFile != "" {
		cert, err := tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("certificate of this client: %w", err)
		}
		c.Certificates = []tls.Certificate{cert}
	}
	return c, nil
}
