package secrets

import (
	"bytes"
	"io/fs"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestName(t *testing.T) {
	for _, p := range []string{".env", "a/.env", ".ENV", ".env.local", ".env.production", ".git/config", "sub/.git/HEAD", ".git", "git~1/config", "id_rsa", "keys/id_ed25519", "deploy_rsa",
		"server.key", "tls/cert.PEM", "store.jks", "a.p12", ".netrc", ".npmrc", ".pypirc", ".aws/credentials", ".ssh/config", ".kube/config", ".docker/config.json", "credentials.json",
		"client_secret_1.json", "service-account.json", "secrets.yaml", "terraform.tfvars", "x.tfstate", ".env.", ".env::$DATA", ".git-credentials", ".bash_history", "wp-config.php", "a\\.env", "prod.env", "deploy/staging.env", ".env~", ".env.swp", "..env.swp", "#.env#", "id_rsa.bak", "server.key.old", ".npmrc.orig~"} {
		if _, secret := Name(p); !secret {
			t.Errorf("Name(%q) is no secret", p)
		}
	}
	for _, p := range []string{"main.go", "secrets.go", "credentials.py", "token.rs", "keys/key.go", ".github/workflows/ci.yml", ".gitignore", ".gitattributes", ".gitmodules", ".env.example", ".env.sample",
		"id_rsa.pub", "README.md", "env.py", "key.pem.md", "docs/secrets.md", ".", "a/..", "environment.env.ts", "passwd.c", "example.env", "sample.env", "main.go.orig", "notes.bak"} {
		if why, secret := Name(p); secret {
			t.Errorf("Name(%q): %s", p, why)
		}
	}
}

// part is random; secrets in this file are put together so that no scanner takes them for real ones.
const part = "Zq7Vw3Lx9Kd2Pn5Rt8YbMc4Hs6Jf1Ga0Ue"

func TestMask(t *testing.T) {
	pem := "-----BEGIN RSA PRIVATE" + " KEY-----\n" + strings.Repeat(part+part[:29]+"\n", 4) + "-----END RSA PRIVATE" + " KEY-----"
	for name, text := range map[string]string{
		"private key":              pem,
		"OpenSSH":                  strings.ReplaceAll(pem, "RSA", "OPENSSH"),
		"PGP":                      "-----BEGIN PGP PRIVATE KEY" + " BLOCK-----\n\n" + part + "\n-----END PGP PRIVATE KEY" + " BLOCK-----",
		"beginning of a key":       pem[:100],
		"end of a key":             pem[50:],
		"middle of a key":          strings.Split(pem, "\n")[2] + "\n" + strings.Split(pem, "\n")[3],
		"GitHub":                   "x = gh" + "p_" + part,
		"GitHub fine-grained":      "github" + "_pat_" + part,
		"GitLab":                   "glp" + "at-" + part[:20],
		"AWS id":                   "AK" + "IAZQ7VW3LX9KD2PN5R",
		"AWS secret":               "aws_secret_access_key = " + part + "/+x9y",
		"Slack":                    "xox" + "b-1234567890-" + part,
		"Slack hook":               "https://hooks.slack.com/services/" + "T0000/B0000/" + part,
		"Stripe":                   "sk" + "_live_" + part,
		"OpenAI":                   "sk" + "-proj-" + part,
		"Anthropic":                "sk" + "-ant-api03-" + part,
		"Google":                   "AI" + "za" + part + "x",
		"npm":                      "npm" + "_" + part + "ab",
		"npm configuration":        "//registry.example.org/:_authToken=" + part,
		"PyPI":                     "pypi-" + "AgEI" + part + part,
		"Hugging Face":             "hf" + "_" + part,
		"JWT":                      "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0In0." + part,
		"header":                   "Authorization: Bearer " + part,
		"header in code":           `"Authorization": "Basic ` + part + `"`,
		"password in an address":   "postgres://app:" + part + "@db.internal/x",
		"password in double quote": `password = "` + part[:12] + `"`,
		"password in YAML":         "password: " + part[:14],
		"key in JSON":              `{"api_key":"` + part + `"}`,
		"environment":              "export SECRET_KEY=" + part,
		"Azure":                    "AccountKey=" + part + part + "==;",
		"Telegram":                 "1234567890:AA" + part + "xy",
		"beside a word":            "AWS_SECRET_ACCESS_KEY=" + part + "EXAMPLEKEY",
		"GitLab deploy token":      "gl" + "dt-" + part[:20],
		"Windows lines":            strings.ReplaceAll(pem, "\n", "\r\n"),
	} {
		b := []byte("before\n" + text + "\nafter")
		lines, size := bytes.Count(b, []byte("\n")), len(b)
		if Mask(b) == 0 || bytes.Contains(b, []byte(part[:10])) || bytes.Contains(b, []byte(part[8:20])) {
			t.Errorf("%s: not masked: %s", name, b)
		}
		cut := strings.HasSuffix(name, "of a key") // what stands beside a part of a key may be key, too
		if len(b) != size || bytes.Count(b, []byte("\n")) != lines || !cut && (!bytes.HasPrefix(b, []byte("before\n")) || !bytes.HasSuffix(b, []byte("\nafter"))) {
			t.Errorf("%s: the text around it changed: %s", name, b)
		}
		if again := bytes.Clone(b); Mask(again) != 0 || !bytes.Equal(again, b) {
			t.Errorf("%s: masked twice: %s", name, again)
		}
	}
	for _, text := range []string{`password = "hunter2hunter2"`, `"secret": "correct-horse-7"`, `db_passwd: 'tiger11'`} { // not random, but given to the name of a password
		if got, n := MaskString(text); n != 1 || !strings.Contains(got, "***") {
			t.Errorf("not masked: %s", got)
		}
	}
	for _, text := range []string{
		`password = "your-password-1"`, `secret: "${SECRET_1}"`, `password: "<password1>"`, `if password == "abc123": pass`, `user_auth = get_user_auth`,
		"token = parser.next_token()", "password: str = None", "def login(password, token):", "The secret of the key is that tokens are short.", "api_key = os.environ['API_KEY']",
		"password = changeme123", "token: ${{ secrets.TOKEN }}", "key = 1234567890", "private_key = load(path)", "a sha: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"https://example.org/a:b@c", "integrity sha512-" + part + part + "==", "token=token.COMMA", "access_key_id: required", "secret: true", "pwd = os.getcwd()", "password = \"password123\"",
		"keys := map[string]int{}", "maxNrofSSBs-1 = 63", "commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", "tokens: 2048, max_tokens=4096",
	} {
		if got, n := MaskString(text); n > 0 {
			t.Errorf("masked: %s: %s", text, got)
		}
	}
}

// TestOwnSources: in a real repository next to nothing is masked that is no secret.
func TestOwnSources(t *testing.T) {
	files, found := 0, 0
	err := fs.WalkDir(os.DirFS("../.."), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, ".md") && !strings.HasSuffix(p, ".py") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		data, err := fs.ReadFile(os.DirFS("../.."), p)
		if err != nil {
			return err
		}
		files++
		was := bytes.Clone(data)
		if n := Mask(data); n > 0 {
			found += n
			for i, l := range bytes.Split(data, []byte("\n")) {
				if old := bytes.Split(was, []byte("\n"))[i]; !bytes.Equal(l, old) {
					t.Logf("%s:%d: %s", p, i+1, old)
				}
			}
		}
		return nil
	})
	if err != nil || files < 500 || found > 3 {
		t.Errorf("%d secrets in %d files, %v", found, files, err)
	}
}

func FuzzMask(f *testing.F) {
	f.Add([]byte("password = '" + part + "'"))
	f.Add([]byte("-----BEGIN PRIVATE" + " KEY-----\nabc\r\n"))
	f.Add([]byte("ü://a:bücher99@c"))
	f.Fuzz(func(t *testing.T, in []byte) {
		out := bytes.Clone(in)
		n := Mask(out)
		if len(out) != len(in) || bytes.Count(out, []byte("\n")) != bytes.Count(in, []byte("\n")) || n == 0 && !bytes.Equal(in, out) {
			t.Errorf("Mask(%q) = %q", in, out)
		}
		if utf8.Valid(in) && !utf8.Valid(out) {
			t.Errorf("Mask(%q) = %q: no UTF-8", in, out)
		}
		if again := bytes.Clone(out); Mask(again) > 0 && !bytes.Equal(again, out) {
			t.Errorf("Mask twice: %q, %q", out, again)
		}
	})
}

func TestGlob(t *testing.T) {
	for g := range strings.SplitSeq(strings.Trim(Glob(), "{}"), ",") {
		if _, secret := Name("a/" + strings.ReplaceAll(g, "*", "x")); !secret {
			t.Errorf("Glob has %s, which Name does not know", g)
		}
	}
}
