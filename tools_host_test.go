package findspot_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/command"
	"github.com/findspot/findspot/skill"
)

func hostTool(t *testing.T, name string, o *findspot.ToolsOptions) skill.Tool {
	t.Helper()
	tool, ok := byName(open(t, t.TempDir(), &findspot.Options{NoServers: true}).Tools(o))[name]
	if !ok || !tool.Writes {
		t.Fatalf("there is no %s, or it does not say that it writes", name)
	}
	return tool
}

func args(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWriteFile(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	victim := filepath.Join(outside, "victim")
	inside := filepath.Join(dir, "old.txt")
	for _, p := range []string{victim, inside} {
		if err := os.WriteFile(p, []byte("old"), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"file": victim, "folder": outside, "within": "old.txt", "dangling": filepath.Join(outside, "new")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	tool := hostTool(t, "write_file", &findspot.ToolsOptions{WriteDir: dir})
	write := func(path, text string, replace bool) string {
		return say(t.Context(), tool, args(t, map[string]any{"path": path, "text": text, "replace": replace}))
	}
	for _, tt := range []struct{ path, want string }{
		{"../victim", "leads out"}, {"a/../../victim", "leads out"}, {victim, "leads out"}, {"a/../b", "plain form"}, {"./b", "plain form"}, {"a//b", "plain form"},
		{"", "names no file"}, {".", "names no file"}, {"a/", "names no file"}, {"..", "leads out"}, {`a\b`, "backslash"}, {"a\x00b", "control"}, {"a\nb", "control"},
		{"file", "no regular file"}, {"within", "no regular file"}, {"dangling", "no regular file"}, {"folder/victim", "error: write_file"}, {"folder/new", "error: write_file"},
		{".git/hooks/pre-commit", "nothing may be written"}, {".GIT/config", "nothing may be written"}, {"sub/.Git./config", "nothing may be written"}, {"GIT~1/config", "nothing may be written"},
		{".findspot/VERSION", "nothing may be written"}, {".agents/skills/x/SKILL.md", "nothing may be written"}, {"old.txt/x", "error: write_file"},
		{strings.Repeat("a/", 600) + "x", "too long"},
	} {
		if got := write(tt.path, "evil", true); !strings.HasPrefix(got, "error: write_file") || !strings.Contains(got, tt.want) {
			t.Errorf("write_file %.60q = %s, want %q", tt.path, got, tt.want)
		}
	}
	if got := write("big", strings.Repeat("x", 4<<20+1), false); !strings.Contains(got, "too large") {
		t.Errorf("a file of more than 4 MB: %s", got)
	}
	if got := write("old.txt", "new", false); !strings.Contains(got, "was there before") {
		t.Errorf("an old file without replace: %s", got)
	}
	if got := write("old.txt", "new", true); got != "wrote 3 bytes to old.txt" {
		t.Errorf("an old file with replace: %s", got)
	}
	if info, err := os.Stat(inside); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode of a file that was replaced: %v, %v", info.Mode(), err)
	}
	for range 2 { // its own file may be written again
		if got := write("deep/er/a.txt", "text", false); !strings.HasPrefix(got, "wrote 4 bytes") {
			t.Errorf("write_file = %s", got)
		}
	}
	if got := say(t.Context(), tool, `{"file_path": "alias.txt", "content": "x"}`); !strings.HasPrefix(got, "wrote") {
		t.Errorf("names of other systems: %s", got)
	}
	if data, err := os.ReadFile(victim); err != nil || string(data) != "old" {
		t.Errorf("the file outside: %q, %v", data, err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", "*", ".findspot-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("outside: %v, %v", entries, err)
	}
}

// program makes a program of a shell script.
func program(t *testing.T, dir, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

func commands(t *testing.T, o findspot.CommandOptions) (tool skill.Tool, bin, root string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	bin, root = t.TempDir(), t.TempDir()
	for _, name := range strings.Fields("rg jq ast-grep findspot git sh env python3 find xargs make ls busybox") {
		program(t, bin, name, `printf '%s|' "$@"; echo`)
	}
	if err := os.Symlink("/bin/rm", filepath.Join(bin, "innocent")); err != nil {
		t.Fatal(err)
	}
	o.Dir, o.Path = root, []string{bin, "relative", filepath.Join(root, "bin")}
	return hostTool(t, "run_command", &findspot.ToolsOptions{Command: &o}), bin, root
}

// TestCommandsDenied tries to delete, to reach the network and to read elsewhere, with a host that allows everything that it is asked.
func TestCommandsDenied(t *testing.T) {
	asked := 0
	tool, _, root := commands(t, findspot.CommandOptions{Allow: func(context.Context, findspot.CommandRequest) (bool, error) { asked++; return true, nil }})
	for _, c := range [][]string{
		{"rm", "-rf", "."}, {"/bin/rm", "x"}, {"RM", "x"}, {"rm.exe", "x"}, {"./rm", "x"}, {"unlink", "x"}, {"shred", "x"}, {"rmdir", "x"}, {"innocent", "x"},
		{"curl", "http://x"}, {"/usr/bin/curl", "x"}, {"Wget", "x"}, {"ssh", "x"}, {"nc", "x"}, {"nc.openbsd", "x"}, {"ncat", "x"}, {"scp", "a", "b:"}, {"telnet", "x"}, {"openssl", "s_client"}, {"sudo", "ls"},
		{"git", "push"}, {"git", "fetch"}, {"git", "-C", ".", "pull"}, {"git", "-c", "a=b", "clone", "x"}, {"git", "rm", "x"}, {"git", "clean", "-fd"}, {"git", "remote", "update"}, {"git", "ls-remote"},
		{"git", "-c", "core.sshCommand=curl x", "status"}, {"git", "-c", "alias.x=!rm -rf .", "x"}, {"git", "submodule", "update"}, {"git", "archive", "--remote=x"},
		{"env", "rm", "x"}, {"env", "A=b", "/bin/rm", "x"}, {"env", "-S", "rm x"}, {"env", "git", "push"}, {"xargs", "rm"}, {"xargs", "-I{}", "curl", "{}"}, {"busybox", "rm", "x"}, {"busybox", "wget", "x"},
		{"sh", "-c", "rm -rf ."}, {"sh", "-c", "ls; rm x"}, {"sh", "-c", "r''m x"}, {"sh", "-c", `r\m x`}, {"sh", "-c", "$(curl x)"}, {"sh", "-c", "ls|nc x 1"}, {"sh", "-c", "git push"}, {"sh", "-c", "git\tpush;"},
		{"python3", "-c", "import os; os.system('rm -rf .')"}, {"python3", "-c", "import subprocess as s; s.run(['curl','x'])"},
		{"find", ".", "-delete"}, {"find", ".", "-exec", "rm", "{}", ";"}, {"make", "SHELL=/usr/bin/curl"},
	} {
		var denied *skill.DeniedError
		_, err := tool.Call(t.Context(), json.RawMessage(args(t, map[string]any{"command": c})))
		if !errors.As(err, &denied) || denied.Tool != "run_command" {
			t.Errorf("%q = %v, want that it is denied", c, err)
		}
	}
	if asked > 0 {
		t.Errorf("the host was asked %d times about what is never allowed", asked)
	}
	// A program in the repository is none, by whatever name.
	program(t, root, "rg", "echo evil")
	if err := os.MkdirAll(filepath.Join(root, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	program(t, filepath.Join(root, "bin"), "tool", "echo evil")
	for _, c := range [][]string{{"./rg"}, {"tool"}, {filepath.Join(root, "rg")}, {"bin/tool"}, {"no-such-program"}, {"ls -l"}, {""}} {
		if got := say(t.Context(), tool, args(t, map[string]any{"command": c})); !strings.HasPrefix(got, "error: ") {
			t.Errorf("%q = %s", c, got)
		}
	}
}

// TestCommandsAsked makes sure that everything but reading below the root is asked, and that without anybody to ask nothing else runs.
func TestCommandsAsked(t *testing.T) {
	tool, _, root := commands(t, findspot.CommandOptions{})
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	for _, p := range []string{secret, filepath.Join(root, "a.py"), filepath.Join(root, "prog.jq")} {
		if err := os.WriteFile(p, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{".env": "K=1", ".gitignore": "logs/\n", "logs/a.log": "x"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(root, "logs"), 0o755), os.WriteFile(filepath.Join(root, name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(".env", filepath.Join(root, "env.txt")); err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(root, secret)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][]string{
		{"rg", "--pre", "x", "y"}, {"rg", "--pre=x", "y"}, {"rg", "-z", "y"}, {"rg", "-nz", "y"}, {"rg", "-L", "y"}, {"rg", "--hostname-bin=x", "y"}, {"rg", "x", secret}, {"rg", "x", rel}, {"rg", "-f", secret, "."},
		{"rg", "-f" + secret}, {"rg", "--file=" + secret}, {"rg", "x", "link"}, {"rg", "x", "link/secret"}, {"rg", "--ignore-file", secret, "x"}, {"rg", "-e", "x", "--", secret},
		{"jq", ".", secret}, {"jq", "--rawfile", "a", secret, "."}, {"jq", "-f", "prog.jq"}, {"jq", "-rf", "prog.jq"}, {"jq", "--from-file=prog.jq"}, {"jq", `import "a" as $a; .`}, {"jq", `include "a"; .`}, {"jq", "-L", ".", "."},
		{"ast-grep", "run", "-p", "x", "-r", "y", "-U"}, {"ast-grep", "lsp"}, {"ast-grep", "new"}, {"ast-grep", "-p", "x", "--update-all"}, {"ast-grep", "scan", "-c", "a.yml"}, {"ast-grep", "-p", "x", secret},
		{"findspot", "docs", "add", "."}, {"findspot", "docs", "remove", "x"}, {"findspot", "skill", "run", "x"}, {"findspot", "lsp", "servers"}, {"findspot", "ask", "--trust", "x"}, {"findspot", "ask", "--engine", "http://x", "y"},
		{"findspot", "pdf", "a.pdf", "--images", "out"}, {"findspot", "guide", "--into", "AGENTS.md"}, {"findspot", "--dir", outside, "ask", "x"}, {"findspot", "ask", "--docs=" + outside, "x"}, {"findspot", "--limit", "ask", "docs", "add"},
		{"findspot", "code", "index", "."}, {"findspot", "docs", "backup", "x"}, {"findspot", "pdf", secret},
		{"findspot", "code", "locate", "--query-file", secret}, {"findspot", "code", "locate", "--query-file=" + secret},
		{"rg", "-u", "x"}, {"rg", "-nuu", "x"}, {"rg", "-.", "x"}, {"rg", "--hidden", "x"}, {"rg", "--no-ignore-vcs", "x"}, {"rg", "-g", "*.log", "x"}, {"rg", "-ng*.log", "x"}, {"rg", "--iglob=*", "x"},
		{"rg", "x", ".env"}, {"rg", "x", "logs"}, {"rg", "x", "logs/a.log"}, {"rg", "x", "./logs"}, {"jq", "-R", ".", ".env"}, {"rg", "x", "env.txt"}, {"ast-grep", "-p", "x", "--no-ignore", "vcs"},
		{"ls"}, {"git", "status"}, {"sh", "-c", "ls"}, {"make"}, {"env"}, {"python3", "x.py"},
	} {
		var denied *skill.DeniedError
		if res, err := tool.Call(t.Context(), json.RawMessage(args(t, map[string]any{"command": c}))); !errors.As(err, &denied) || !strings.Contains(err.Error(), "nobody allowed it") {
			t.Errorf("%q = %v, %v, want that it is asked of somebody", c, res, err)
		}
	}
	for _, tt := range []struct {
		command []string
		want    string
	}{
		{[]string{"rg", "-n", "x", "a.py"}, "--no-config|--no-follow|-n|x|a.py|"},
		{[]string{"rg", "-ez", "."}, "-ez|.|"}, // z is what is searched
		{[]string{"rg", "-g", "!*.log", "x"}, "-g|!*.log|x|"},
		{[]string{"rg", "--regexp=logs", "-tpy", "-Cu"}, "--no-follow|--regexp=logs|-tpy|-Cu|"}, // u is a value
		{[]string{"rg", "x", "."}, "--iglob=!{.git,"},
		{[]string{"rg", "/api/v1", "."}, "/api/v1|.|"},
		{[]string{"jq", "-r", ".a.b"}, "-r|.a.b|"},
		{[]string{"ast-grep", "run", "-p", "$A", "-l", "py"}, "run|-p|$A|-l|py|"},
		{[]string{"findspot", "code", "search", "x"}, "--no-servers|code|search|x|"},
		{[]string{"findspot", "code", "locate", "--why", "--query-file", "a.py"}, "--no-servers|code|locate|--why|--query-file|a.py|"},
		{[]string{"findspot", "--json", "ask", "what; rm -rf ."}, "--no-servers|--json|ask|what; rm -rf .|"},
	} {
		if got := say(t.Context(), tool, args(t, map[string]any{"command": tt.command})); !strings.Contains(got, tt.want) || !strings.Contains(got, "status 0") {
			t.Errorf("%q = %s, want %q", tt.command, got, tt.want)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "sgconfig.yml"), []byte("customLanguages: {x: {libraryPath: evil.so}}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := say(t.Context(), tool, `{"command": ["ast-grep", "-p", "x"]}`); !strings.Contains(got, "may make ast-grep load libraries") {
		t.Errorf("ast-grep with a configuration = %s", got)
	}
	if got := say(t.Context(), tool, `{"command": ["rg", "x"], "dir": "logs"}`); !strings.Contains(got, "left out by .gitignore") {
		t.Errorf("in an ignored folder: %s", got)
	}
	for _, dir := range []string{"..", outside, "link"} {
		if got := say(t.Context(), tool, args(t, map[string]any{"command": []string{"rg", "x"}, "dir": dir})); !strings.Contains(got, "no folder below") {
			t.Errorf("in %s: %s", dir, got)
		}
	}
}

// TestCommandBounds looks at what an allowed program gets: its environment, its time, and what is kept of its output.
func TestCommandBounds(t *testing.T) {
	t.Setenv("FINDSPOT_SECRET", "swordfish")
	var asked findspot.CommandRequest
	tool, bin, root := commands(t, findspot.CommandOptions{Timeout: time.Second, MaxOutput: 1000, Env: []string{"GIVEN=yes"},
		Allow: func(_ context.Context, c findspot.CommandRequest) (bool, error) { asked = c; return true, nil }})
	program(t, bin, "show", `echo "secret=$FINDSPOT_SECRET given=$GIVEN home=$HOME path=$PATH pwd=$(pwd)"; exit 3`)
	program(t, bin, "flood", `i=0; while [ $i -lt 500 ]; do echo 0123456789; i=$((i+1)); done`)
	program(t, bin, "hang", `/bin/sleep 600 & /bin/sleep 600`)
	got := say(t.Context(), tool, `{"command": ["show", "a b"]}`)
	if !strings.Contains(got, "status 3") || !strings.Contains(got, "secret= given=yes home="+os.TempDir()) || !strings.Contains(got, "path="+bin) {
		t.Errorf("show = %s", got)
	}
	if real, err := filepath.EvalSymlinks(root); err != nil || !strings.Contains(got, "pwd="+real) || asked.Dir != real || asked.Program != filepath.Join(bin, "show") || asked.Args[1] != "a b" {
		t.Errorf("the host was asked %+v", asked)
	}
	res, err := tool.Call(t.Context(), json.RawMessage(`{"command": ["flood"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if d, ok := res.Data.(command.Result); !ok || len(d.Stdout) != 1000 || d.Lost != 4500 || !strings.Contains(res.Cut, "4500 bytes") {
		t.Errorf("flood = %+v, cut %q", res.Data, res.Cut)
	}
	if got := say(t.Context(), tool, `{"command": ["hang"]}`); !strings.Contains(got, "killed: it took longer than 1s") {
		t.Errorf("hang = %s", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := say(ctx, tool, `{"command": ["show"]}`); !strings.Contains(got, "canceled") {
		t.Errorf("after the context ended: %s", got)
	}
}
