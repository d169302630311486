package live

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/wtsize/wtsize/sampler/live/fakemongod"
)

// certificate makes a key pair for 127.0.0.1, and a PEM file with both.
func certificate(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "wtsize test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cert.pem")
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

// TestTLS: TLS options and a client certificate reach the direct connection to
// the member chosen.
func TestTLS(t *testing.T) {
	cert, file := certificate(t)
	pool := x509.NewCertPool()
	leaf, err := x509.ParseCertificate(cert.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(leaf)
	for _, p := range []fakemongod.Profile{fakemongod.V82(), fakemongod.V42()} {
		t.Run(p.Name, func(t *testing.T) { readTLS(t, p, cert, pool, file) })
	}
}

func readTLS(t *testing.T, p fakemongod.Profile, cert tls.Certificate, pool *x509.CertPool, file string) {
	s, err := fakemongod.StartTLS(p, &tls.Config{Certificates: []tls.Certificate{cert},
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool},
		fakemongod.DB{Name: "shop", Collections: []*fakemongod.Collection{holed("a", 100, objectIDs)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	params := url.Values{"tls": {"true"}, "tlsCAFile": {file}, "tlsCertificateKeyFile": {file}, "serverSelectionTimeoutMS": {"2000"}}
	var v collector
	if err := open(t, Options{URI: s.URI(), Params: params}).Read(context.Background(), testBudget, &v); err != nil || v.find("a") == nil {
		t.Errorf("error %v", err)
	}
	if err := s.Require(user, secret); err != nil {
		t.Fatal(err)
	}
	params.Set("authMechanism", "MONGODB-X509")
	v = collector{}
	if err := open(t, Options{URI: s.URI(), Params: params}).Read(context.Background(), testBudget, &v); err != nil || v.find("a") == nil {
		t.Errorf("by certificate: error %v", err)
	}
	params.Del("authMechanism")
	params.Set("serverSelectionTimeoutMS", "300")
	params.Del("tlsCAFile")
	if err := open(t, Options{URI: s.URI(), Params: params}).Read(context.Background(), testBudget, &v); err == nil {
		t.Error("a certificate nobody vouches for was taken")
	} else {
		t.Log(err)
	}
}

func TestWithParams(t *testing.T) {
	p := url.Values{"tls": {"true"}, "appName": {"a b"}}
	for uri, want := range map[string]string{
		"mongodb://h":          "mongodb://h/?appName=a+b&tls=true",
		"mongodb://h/":         "mongodb://h/?appName=a+b&tls=true",
		"mongodb://h/db":       "mongodb://h/db?appName=a+b&tls=true",
		"mongodb://h/db?":      "mongodb://h/db?appName=a+b&tls=true",
		"mongodb://h/db?x=y":   "mongodb://h/db?x=y&appName=a+b&tls=true",
		"mongodb://h/?x=y&z=w": "mongodb://h/?x=y&z=w&appName=a+b&tls=true",
	} {
		if got := withParams(uri, p); got != want {
			t.Errorf("%s: %s, want %s", uri, got, want)
		}
		if got := withParams(uri, nil); got != uri {
			t.Errorf("%s: %s", uri, got)
		}
	}
}
