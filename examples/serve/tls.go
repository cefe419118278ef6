package serve

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	certLife  = 397 * 24 * time.Hour // as long as browsers take
	certRenew = 30 * 24 * time.Hour  // before its end
)

// Certificate reads a certificate, with those that vouch for it, and its key from two files in PEM.
func Certificate(certFile, keyFile string) (*tls.Config, error) {
	c, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, fmt.Errorf("TLS: certificate %s with key %s: %w", certFile, keyFile, err)
	}
	return config(c), nil
}

func config(c tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{c}, MinVersion: tls.VersionTLS12}
}

// SelfSigned makes a certificate for localhost, this machine's loopback addresses and the hosts (names or addresses), and keeps it with its key in the folder
// tls of dir. The next time it is the same, until it nears its end or a host is missing in it. Nobody vouches for it: the fingerprint, of the certificate by
// SHA-256 as browsers show it, is what a user compares.
func SelfSigned(dir string, hosts []string) (cfg *tls.Config, fingerprint string, err error) {
	hosts = append([]string{"localhost", "127.0.0.1", "::1"}, hosts...)
	folder := filepath.Join(dir, "tls")
	certFile, keyFile := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	c, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err == nil && serves(c.Leaf, hosts, time.Now()) {
		return config(c), print(c), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("TLS: the certificate in %s: %w: remove the folder, and a new one is made", folder, err)
	}
	if c, err = makeCert(hosts, certFile, keyFile); err != nil {
		return nil, "", fmt.Errorf("TLS: no certificate could be made: %w", err)
	}
	return config(c), print(c), nil
}

// serves reports whether a certificate is good for hosts for a while.
func serves(leaf *x509.Certificate, hosts []string, now time.Time) bool {
	return leaf != nil && now.After(leaf.NotBefore) && now.Add(certRenew).Before(leaf.NotAfter) &&
		!slices.ContainsFunc(hosts, func(h string) bool { return leaf.VerifyHostname(h) != nil })
}

func makeCert(hosts []string, certFile, keyFile string) (tls.Certificate, error) {
	none := tls.Certificate{}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return none, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return none, err
	}
	now := time.Now()
	t := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "findspot"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(certLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else {
			t.DNSNames = append(t.DNSNames, h)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
	if err != nil {
		return none, err
	}
	priv, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return none, err
	}
	if err := os.MkdirAll(filepath.Dir(keyFile), 0o700); err != nil {
		return none, err
	}
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: priv})
	// The certificate goes first: without its key it is of no use, and is made again.
	if err := errors.Join(os.RemoveAll(keyFile), replace(certFile, certPEM), replace(keyFile, keyPEM)); err != nil {
		return none, err
	}
	return tls.X509KeyPair(certPEM, keyPEM)
}

// replace writes a file that its owner alone may read, whole or not at all.
func replace(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*") // of mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// print is the fingerprint of a certificate.
func print(c tls.Certificate) string {
	sum := sha256.Sum256(c.Certificate[0])
	var b strings.Builder
	for i, x := range sum {
		if i > 0 {
			b.WriteByte(':')
		}
		fmt.Fprintf(&b, "%02X", x)
	}
	return b.String()
}
