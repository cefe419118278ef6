package registry

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/lspclient/serverspec"
	"github.com/google/go-cmp/cmp"
)

// TestUntrustedEnvironment: what is the user's own stays; what leads into the repository, and what is named like a secret,
// does not reach a server.
func TestUntrustedEnvironment(t *testing.T) {
	root := t.TempDir()
	if err := os.Symlink(root, filepath.Join(t.TempDir(), "link")); err != nil {
		t.Fatal(err)
	}
	sep := string(os.PathListSeparator)
	in := filepath.Join(root, "lib")
	env := map[string]string{
		"HOME": "/home/me", "LANG": "C", "GITHUB_TOKEN": "x", "AWS_SECRET_ACCESS_KEY": "x", "OPENAI_API_KEY": "x", "DB_PASSWORD": "x",
		"SSH_AUTH_SOCK": "/run/x", "PYTHONPATH": sep + "lib" + sep + "/opt/lib" + sep + in, "NODE_PATH": "node_modules",
		"LD_PRELOAD": "./evil.so /lib/good.so", "CLASSPATH": sep,
		"RUSTC_WRAPPER": "./wrap", "CC": "gcc -m64", "CXX": in + "/c++ -O2", "GOROOT": "/usr/local/go", "VIRTUAL_ENV": in,
		"NODE_OPTIONS": "--max-old-space-size=4096", "GOFLAGS": "-mod=vendor -toolexec=./evil", "JAVA_TOOL_OPTIONS": "-javaagent:" + in,
		"_JAVA_OPTIONS": "-Xmx1g", "JDK_JAVA_OPTIONS": "-javaagent:/opt/agent.jar",
	}
	(&Registry{root: root}).untrusted(env)
	want := map[string]string{
		"HOME": "/home/me", "LANG": "C", "PYTHONPATH": "/opt/lib", "LD_PRELOAD": "/lib/good.so", "CC": "gcc -m64", "GOROOT": "/usr/local/go",
		"NODE_OPTIONS": "--max-old-space-size=4096", "_JAVA_OPTIONS": "-Xmx1g", "JDK_JAVA_OPTIONS": "-javaagent:/opt/agent.jar",
	}
	if diff := cmp.Diff(want, env); diff != "" {
		t.Errorf("untrusted (-want +got):\n%s", diff)
	}
	for _, options := range []string{"--require ./evil.js", "-r evil", "--import=./evil.mjs", "--loader " + in} {
		env := map[string]string{"NODE_OPTIONS": options}
		if (&Registry{root: root}).untrusted(env); len(env) != 0 {
			t.Errorf("NODE_OPTIONS=%q stays", options)
		}
	}
}

func TestEnviron(t *testing.T) {
	root := t.TempDir()
	t.Setenv("PATH", strings.Join([]string{"rel", filepath.Join(root, "bin"), "/bin"}, string(os.PathListSeparator)))
	t.Setenv("GOFLAGS", "-mod=mod -tags=x")
	t.Setenv("GOPROXY", "https://proxy.example.com")
	r, err := New(t.Context(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(r.Specs, func(s *Spec) bool { return s.Name == "gopls" })
	env := r.Environ(r.Specs[i], true)
	for _, want := range []string{"PATH=/bin", "GOFLAGS=-tags=x", "GOPROXY=off", "GOTOOLCHAIN=local", "https_proxy=http://127.0.0.1:9"} {
		if !slices.Contains(env, want) {
			t.Errorf("the environment lacks %s", want)
		}
	}
	if env := r.Environ(r.Specs[i], false); !slices.Contains(env, "GOPROXY=https://proxy.example.com") {
		t.Error("a trusted server has not the environment's GOPROXY")
	}
}

func TestOutermost(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"w/m": "", "w/a/m": "", "w/a/x.fk": ""})
	r := &Registry{root: root}
	for outermost, want := range map[bool]string{false: "w/a", true: "w"} {
		if got := r.FolderOf(&Spec{Spec: serverspec.Spec{Roots: []string{"m"}, Outermost: outermost}}, filepath.Join(root, "w/a/x.fk")); got != filepath.Join(root, want) {
			t.Errorf("folderOf, outermost %v: %s, want %s", outermost, got, want)
		}
	}
}

// TestRustupToolchain: the user's own toolchain is set against one that a repository names, unless a person set one.
func TestRustupToolchain(t *testing.T) {
	home := t.TempDir()
	write(t, home, map[string]string{"settings.toml": "version = \"12\"\ndefault_toolchain = \"stable-x\"\n"})
	if got := rustupToolchain(map[string]string{"RUSTUP_HOME": home}); got != "stable-x" {
		t.Errorf("rustupToolchain = %q, want stable-x", got)
	}
	if got := rustupToolchain(map[string]string{"RUSTUP_HOME": t.TempDir()}); got != "" {
		t.Errorf("rustupToolchain without rustup = %q", got)
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
