package lspclient

import (
	"os"
	"path/filepath"
	"testing"

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
	(&registry{root: root}).untrusted(env)
	want := map[string]string{
		"HOME": "/home/me", "LANG": "C", "PYTHONPATH": "/opt/lib", "LD_PRELOAD": "/lib/good.so", "CC": "gcc -m64", "GOROOT": "/usr/local/go",
		"NODE_OPTIONS": "--max-old-space-size=4096", "_JAVA_OPTIONS": "-Xmx1g", "JDK_JAVA_OPTIONS": "-javaagent:/opt/agent.jar",
	}
	if diff := cmp.Diff(want, env); diff != "" {
		t.Errorf("untrusted (-want +got):\n%s", diff)
	}
	for _, options := range []string{"--require ./evil.js", "-r evil", "--import=./evil.mjs", "--loader " + in} {
		env := map[string]string{"NODE_OPTIONS": options}
		if (&registry{root: root}).untrusted(env); len(env) != 0 {
			t.Errorf("NODE_OPTIONS=%q stays", options)
		}
	}
}
