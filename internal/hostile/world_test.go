package hostile

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
)

const (
	outsideMark = "outside-marker-7f3a91" // in files that no answer may come from
	secretMark  = "Zq7Vw3Lx9Kd2Pn5Rt8Yb"  // the random part of secrets inside of the repository
	deadline    = 3 * time.Minute         // nothing takes that long unless it hangs
)

// A world is a repository with hostile entries, a folder of documents, and what lies outside of both.
type world struct {
	base, repo, docs, outside, config string
}

func (w *world) file(t testing.TB, name, text string) string {
	t.Helper()
	p := filepath.Join(w.base, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func (w *world) link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(w.base, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
}

// token is a secret of a known kind; no scanner of sources takes this file for one that holds it.
func token() string { return "gh" + "p_" + secretMark + "0123456789abcdef" }

func newWorld(t testing.TB) *world {
	t.Helper()
	base, err := os.MkdirTemp("", "fsh") // short: names of sockets are bounded
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	if base, err = filepath.EvalSymlinks(base); err != nil {
		t.Fatal(err)
	}
	w := &world{base, filepath.Join(base, "repo"), filepath.Join(base, "docs"), filepath.Join(base, "outside"), filepath.Join(base, "config")}
	w.file(t, "outside/secret.txt", outsideMark+"\n")
	w.file(t, "outside/secret.py", "def stolen():\n    return '"+outsideMark+"'\n")
	w.file(t, "repo-twin/secret.txt", outsideMark+"\n")
	w.file(t, "repo/good.py", "from pkg import helper\n\ndef good():\n    \"\"\"Says that all is well.\"\"\"\n    return helper.help()\n")
	w.file(t, "repo/pkg/__init__.py", "")
	w.file(t, "repo/pkg/helper.py", "TOKEN = '"+token()+"'\n\ndef help():\n    return TOKEN\n")
	w.file(t, "repo/README.md", "# A repository\n\nCall good().\n")
	w.file(t, "repo/.env", "API_KEY="+token()+"\n")
	w.file(t, "repo/.git/config", "[remote \"origin\"]\n\turl = https://user:"+secretMark+"@example.org/r.git\n")
	w.file(t, "repo/.git/HEAD", "ref: refs/heads/main\n")
	w.file(t, "repo/id_rsa", "-----BEGIN OPENSSH PRIVATE"+" KEY-----\n"+secretMark+"\n-----END OPENSSH PRIVATE"+" KEY-----\n")
	w.file(t, "repo/.gitignore", "ignored.txt\nbuild/\n")
	w.file(t, "repo/ignored.txt", secretMark+"\n")
	w.file(t, "repo/build/out.txt", secretMark+"\n")
	w.link(t, "../outside/secret.txt", "repo/notes.md")
	w.link(t, "../outside/secret.py", "repo/linked.py")
	w.link(t, filepath.Join(w.outside, "secret.txt"), "repo/abs.txt")
	w.link(t, "../repo-twin/secret.txt", "repo/twin.txt")
	w.link(t, "../outside", "repo/away")
	w.link(t, "away/secret.txt", "repo/chain.txt")
	w.link(t, "/proc/self/environ", "repo/env.txt")
	w.link(t, "/proc/self/cmdline", "repo/args.txt")
	w.link(t, "/proc/self/fd/0", "repo/fd.txt")
	w.link(t, "/proc/self/root", "repo/top")
	w.link(t, "/dev/stdin", "repo/stdin.txt")
	w.link(t, "/dev/zero", "repo/zero.txt")
	w.link(t, "/dev/tty", "repo/tty.txt")
	w.link(t, "/etc/passwd", "repo/passwd.txt")
	w.link(t, ".env", "repo/settings.md")
	w.link(t, ".git/config", "repo/config.txt")
	w.link(t, "ignored.txt", "repo/shown.txt")
	w.link(t, "loop.txt", "repo/loop.txt")
	for _, p := range []string{"repo/pipe.txt", "repo/pipe.py", "docs/pipe.md"} {
		w.file(t, filepath.Dir(p)+"/.keep", "")
		if err := mkfifo(filepath.Join(base, p)); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			t.Fatal(err)
		}
	}
	w.link(t, "pipe.txt", "repo/tube.md")
	if l, err := net.Listen("unix", filepath.Join(w.repo, "socket.txt")); err != nil {
		t.Fatal(err)
	} else {
		t.Cleanup(func() { l.Close() })
	}
	if os.Geteuid() == 0 {
		if err := mkzero(filepath.Join(w.repo, "device.txt")); err != nil {
			t.Logf("no device: %v", err)
		}
	}
	w.file(t, "docs/spec.md", "# Cell search\n\nThe receiver shall correlate the buffer with the reference.\n")
	w.file(t, "docs/keys.txt", "The token is "+token()+" and must not be shown.\n")
	w.link(t, "../outside/secret.txt", "docs/leak.md")
	w.link(t, "/etc/passwd", "docs/passwd.txt")
	return w
}

// paths are files that no answer may hold, and why.
var paths = []struct{ path, why string }{
	{"notes.md", "a link to a file outside"},
	{"linked.py", "a link to code outside"},
	{"abs.txt", "an absolute link to a file outside"},
	{"twin.txt", "a link to a folder whose name begins as the repository's"},
	{"away/secret.txt", "a link to a folder outside"},
	{"chain.txt", "a link through a link"},
	{"env.txt", "a link to the environment of the process"},
	{"args.txt", "a link to the arguments of the process"},
	{"fd.txt", "a link to an open file of the process"},
	{"top/etc/passwd", "a link to the root of the process"},
	{"stdin.txt", "a link to standard input"},
	{"zero.txt", "a link to an endless device"},
	{"tty.txt", "a link to the terminal"},
	{"passwd.txt", "a link to the system's users"},
	{"pipe.txt", "a named pipe"},
	{"pipe.py", "a named pipe with the name of code"},
	{"tube.md", "a link to a named pipe"},
	{"socket.txt", "a socket"},
	{"device.txt", "a device"},
	{"loop.txt", "a link to itself"},
	{".env", "a file of secrets"},
	{"settings.md", "a link to a file of secrets"},
	{".git/config", "the configuration of git"},
	{"config.txt", "a link to the configuration of git"},
	{"id_rsa", "a private key"},
	{"ignored.txt", "a file that git ignores"},
	{"build/out.txt", "a file in a folder that git ignores"},
	{"shown.txt", "a link to a file that git ignores"},
	{"../outside/secret.txt", "a path out of the repository"},
	{"pkg/../../outside/secret.txt", "a path out of the repository by way of a folder"},
	{"/etc/passwd", "an absolute path"},
	{"good.py\x00.md", "a path with a NUL byte"},
}

// leaks tells what a text gives away.
func leaks(text string) string {
	for _, m := range []string{outsideMark, secretMark, "root:x:0:0", "PATH=/"} {
		if strings.Contains(text, m) {
			return m
		}
	}
	return ""
}

// workspace opens the world's repository and documents.
func (w *world) workspace(t testing.TB) *findspot.Workspace {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	ws, err := findspot.Open(ctx, filepath.Join(w.base, "index"), &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	for _, err := range ws.AddDocs(ctx, w.docs) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ws.AddRepo(ctx, w.repo, nil); err != nil {
		t.Fatal(err)
	}
	return ws
}

// call calls a tool and returns all that it gives, as one text.
func call(t testing.TB, tools []skill.Tool, name string, args map[string]any) (text string, err error) {
	t.Helper()
	_, text, err = answer(t, tools, name, args)
	return text, err
}

// answer is like call, with the result.
func answer(t testing.TB, tools []skill.Tool, name string, args map[string]any) (res *skill.Result, text string, err error) {
	t.Helper()
	i := slices.IndexFunc(tools, func(t skill.Tool) bool { return t.Name == name })
	if i < 0 {
		t.Fatalf("no tool %s", name)
	}
	in, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	res, err = tools[i].Call(ctx, in)
	if ctx.Err() != nil {
		t.Errorf("%s(%s) hangs", name, in)
	}
	if err != nil {
		return nil, err.Error(), err
	}
	all, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	return res, res.Text + "\n" + string(all), nil
}

// shared makes one world for the attacks of the tools, since a workspace takes a second to build.
var shared struct {
	once  sync.Once
	world *world
	ws    *findspot.Workspace
	tools []skill.Tool
}
