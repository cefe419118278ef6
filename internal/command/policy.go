package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/rootfs"
)

// What run_command never runs, whoever would allow it: programs that delete, that use the network, or that take other rights. A
// program that runs others is looked at for what it would run.
var (
	deniedPrograms = wordSet(`rm rmdir unlink shred srm wipe wipefs mkfs dd fdisk parted truncate
		curl wget wget2 aria2c axel lynx links links2 elinks w3m http https httpie xh curlie ssh scp sftp slogin sshfs sshd rsync rclone ftp lftp ncftp tftp
		telnet nc ncat netcat socat nmap ping ping6 dig host nslookup drill whois traceroute tracepath mtr openssl gnutls-cli s3cmd aws gcloud az gsutil
		gh hub glab mail mailx sendmail msmtp swaks irssi weechat tor torsocks proxychains chisel ngrok cloudflared croc magic-wormhole wormhole
		docker podman nerdctl kubectl sudo su doas pkexec runuser setpriv chroot nsenter unshare mount umount shutdown reboot kill killall pkill crontab at systemctl`)
	// runners run what stands in their arguments, or in a text among them.
	runners = wordSet(`env xargs nice ionice nohup timeout time gtime stdbuf setsid watch parallel strace ltrace gdb script scriptreplay expect flock taskset chrt eatmydata fakeroot
		sh bash dash zsh ksh mksh ash fish csh tcsh rbash pwsh powershell cmd command builtin exec eval busybox toybox
		python python2 python3 pypy pypy3 perl ruby node nodejs deno bun php lua luajit tclsh wish awk gawk mawk nawk sed ed ex vi vim nvim emacs
		find fd fdfind git make gmake ninja cmake just task npm npx yarn pnpm pip pipx uv uvx cargo go java groovy kotlin scala tar zip less more man`)
	// deniedGit are the subcommands that delete or use the network.
	deniedGit = wordSet(`rm clean push fetch pull clone ls-remote fetch-pack send-pack http-fetch http-push http-backend remote-http remote-https
		daemon send-email imap-send svn p4 cvsimport archive-remote instaweb request-pull credential lfs`)
	commandWords = lazyregexp.New(`[A-Za-z0-9_.+-]+`)
)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// programName is the name that counts: without folders, in lower case, without an ending that says it is a program, a version or a variant.
func programName(s string) string {
	s = strings.ToLower(filepath.Base(strings.ReplaceAll(s, `\`, "/")))
	for _, end := range []string{".exe", ".com", ".bat", ".cmd", ".ps1"} {
		s = strings.TrimSuffix(s, end)
	}
	return s
}

// isDenied reports whether a word names a program that is never run; "nc.openbsd" and "ssh-9" are nc and ssh.
func isDenied(word string) bool {
	name := programName(word)
	if deniedPrograms[name] {
		return true
	}
	for _, sep := range []string{".", "-"} {
		if base, rest, ok := strings.Cut(name, sep); ok && deniedPrograms[base] && (sep == "." || rest != "" && rest[0] >= '0' && rest[0] <= '9') {
			return true
		}
	}
	return false
}

// isRunner is like isDenied: python3.12 is python3.
func isRunner(word string) bool {
	name := programName(word)
	return runners[name] || runners[strings.TrimRight(name, "0123456789.-")]
}

// denied refuses what is never run: by name, by path, in another case, or by way of a program that runs others.
func denied(args []string) error {
	if isDenied(args[0]) {
		return refused("%s deletes, uses the network or takes other rights, which is never allowed here", programName(args[0]))
	}
	if !isRunner(args[0]) {
		return nil
	}
	for _, a := range args[1:] {
		for _, w := range commandWords.FindAllString(unquoted(a), -1) {
			if isDenied(w) || isDenied(strings.TrimLeft(w, ".-+_")) {
				return refused("%s would run %s, which is never allowed here", programName(args[0]), programName(w))
			}
		}
	}
	if programName(args[0]) == "git" {
		return deniedByGit(args[1:])
	}
	for i, a := range args[1:] { // git by way of another
		if programName(a) == "git" {
			if err := deniedByGit(args[i+2:]); err != nil {
				return err
			}
		}
		fields := strings.Fields(unquoted(a))
		for j, f := range fields {
			if programName(f) == "git" && len(fields) > 1 {
				if err := deniedByGit(fields[j+1:]); err != nil {
					return err
				}
			}
		}
	}
	if programName(args[0]) == "find" && slices.Contains(args, "-delete") {
		return refused("find would delete, which is never allowed here")
	}
	return nil
}

// unquoted takes away what a shell would, so that r”m is rm.
func unquoted(s string) string {
	return strings.NewReplacer(`"`, "", `'`, "", `\`, "", "$@", "", "${IFS}", " ", "$IFS", " ").Replace(s)
}

func deniedByGit(args []string) error {
	for _, a := range args {
		if deniedGit[strings.ToLower(strings.Trim(a, ";&|()"))] || strings.HasPrefix(a, "--upload-pack") || strings.HasPrefix(a, "--receive-pack") || strings.HasPrefix(a, "--remote") {
			return refused("git %s deletes or uses the network, which is never allowed here", a)
		}
	}
	i := slices.Index(args, "remote")
	if i < 0 {
		i = slices.Index(args, "submodule")
	}
	if i >= 0 && slices.ContainsFunc(args[i:], func(a string) bool { return a == "update" || a == "show" || a == "add" || a == "-f" || a == "prune" }) {
		return refused("git %s uses the network, which is never allowed here", strings.Join(args[i:], " "))
	}
	return nil
}

// A reader looks at the arguments of a program that may run by rule as long as it only reads below the root. It returns
// the arguments to run it with, and why it may not; "" when it may.
type reader func(c *runner, dir string, args []string) (run []string, why string)

// readers are the programs that may run by rule.
var readers = map[string]reader{"rg": ripgrep, "ast-grep": astGrep, "jq": jq, "findspot": findspotReads}

// outside names the first argument that is, or may be read as, a path out of the root or one that the workspace's policy keeps from answers: as a
// whole, behind "=", or glued to a short option. A link in the root that leads out of it is one.
func (c *runner) outside(dir string, args []string) (why string) {
	fsys := rootfs.New(c.root)
	for _, a := range args {
		if strings.HasPrefix(a, "--regexp=") {
			continue // what rg looks for
		}
		tries := []string{a}
		if _, v, ok := strings.Cut(a, "="); ok {
			tries = append(tries, v)
		}
		if len(a) > 2 && a[0] == '-' && a[1] != '-' {
			for i := 2; i < min(len(a), 12); i++ {
				tries = append(tries, a[i:])
			}
		}
		for _, try := range tries {
			p := strings.TrimPrefix(try, "@")
			if p == "" || len(p) > 4096 {
				continue
			}
			if !filepath.IsAbs(p) {
				p = filepath.Join(dir, p)
			}
			if _, err := os.Lstat(p); err != nil {
				continue // nothing is there that could be read
			}
			real, err := filepath.EvalSymlinks(p)
			if err != nil || !rootfs.Below(c.root, real) {
				return fmt.Sprintf("%s leads out of the folder that was opened", a)
			}
			for _, p := range []string{p, real} {
				if rel, err := filepath.Rel(c.root, p); err != nil {
					return err.Error()
				} else if err := c.opt.Readable(fsys, filepath.ToSlash(rel)); err != nil && !errors.Is(err, fs.ErrInvalid) {
					return err.Error()
				}
			}
		}
	}
	return ""
}

// hasFlag finds a flag by its long names, whole or with a value, and by a letter in a group of short ones.
func hasFlag(args []string, letters string, long ...string) string {
	for _, a := range args {
		if a == "--" {
			return ""
		}
		if strings.HasPrefix(a, "--") {
			name, _, _ := strings.Cut(a, "=")
			for _, l := range long {
				if name == l {
					return a
				}
			}
			continue
		}
		if len(a) > 1 && a[0] == '-' && strings.ContainsAny(a[1:], letters) {
			return a
		}
	}
	return ""
}

// ripgrep may not run other programs, nor follow links, nor search what git ignores: a pattern of files to search, too, wins over .gitignore.
func ripgrep(c *runner, _ string, args []string) ([]string, string) {
	const runs, ignored = " runs other programs or follows links", " searches files that git ignores (-t takes a type of files, and folders can be named)"
	// Letters in a group of short flags; what stands behind one that takes a value is its value.
	for i, a := range args[1:] {
		if a == "--" {
			break
		}
		if len(a) < 2 || a[0] != '-' || a[1] == '-' {
			continue
		}
		for k, r := range a[1:] {
			switch {
			case strings.ContainsRune("zL", r):
				return nil, "rg " + a + runs
			case strings.ContainsRune("u.", r), r == 'g' && !leavesOut(a[k+2:], args[i+2:]):
				return nil, "rg " + a + ignored
			}
			if strings.ContainsRune("ABCEMTdefgjmrt", r) {
				break
			}
		}
	}
	for i, a := range args[1:] {
		if a == "--" {
			break
		}
		for _, bad := range []string{"--pre", "--hostname-bin", "--search-zip", "--follow", "--generate"} {
			if strings.HasPrefix(a, bad) {
				return nil, "rg " + a + runs
			}
		}
		name, value, _ := strings.Cut(a, "=")
		if strings.HasPrefix(a, "--no-ignore") || name == "--hidden" || name == "--unrestricted" || name == "--ignore-file" ||
			(name == "--glob" || name == "--iglob") && !leavesOut(value, args[i+2:]) {
			return nil, "rg " + a + ignored
		}
	}
	run := []string{"rg", "--no-config", "--no-follow"}
	for _, glob := range c.opt.HideGlobs {
		run = slices.Insert(run, 1, "--iglob=!"+glob)
	}
	return append(run, args[1:]...), ""
}

// leavesOut reports whether a glob of rg, glued to its flag or the next argument, only takes files away.
func leavesOut(glued string, next []string) bool {
	if glued == "" && len(next) > 0 {
		glued = next[0]
	}
	return strings.HasPrefix(strings.TrimPrefix(glued, "="), "!")
}

var jqReads = lazyregexp.New(`\b(?:import|include|modulemeta|input_filename|get_search_list)\b`)

// jq may read files below the root alone, and programs from its arguments alone, since a program may name files.
func jq(_ *runner, _ string, args []string) ([]string, string) {
	if f := hasFlag(args[1:], "fL", "--from-file", "--library-path"); f != "" {
		return nil, "jq " + f + " reads programs from files"
	}
	for _, a := range args[1:] {
		if jqReads.MatchString(a) {
			return nil, "the jq program reads other files"
		}
	}
	return args, ""
}

// astGrep may not rewrite, nor read a configuration: that of a repository may name libraries to load.
func astGrep(_ *runner, dir string, args []string) ([]string, string) {
	sub := ""
	if len(args) > 1 {
		sub = args[1]
	}
	if !strings.HasPrefix(sub, "-") && sub != "run" && sub != "scan" {
		return nil, "ast-grep " + sub + " is not run or scan"
	}
	if f := hasFlag(args[1:], "Uic", "--update-all", "--interactive", "--config", "--follow", "--builtin-rules", "--no-ignore", "--globs"); f != "" {
		return nil, "ast-grep " + f + " writes, asks, or reads a configuration or what git ignores"
	}
	for d := dir; ; d = filepath.Dir(d) {
		for _, name := range []string{"sgconfig.yml", "sgconfig.yaml"} {
			if _, err := os.Lstat(filepath.Join(d, name)); err == nil {
				return nil, filepath.Join(d, name) + " may make ast-grep load libraries"
			}
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	return args, ""
}

// The commands of findspot that only read, and the flags that they may have there.
var (
	findspotCommands = wordSet(`ask tools verify pdf docs/list docs/show docs/search docs/find docs/read docs/view docs/page docs/sections docs/abstract docs/fresh
		code/search code/locate code/show code/grep code/traverse code/retrieve code/callers code/edges skill/list skill/show skill/select skill/why skill/lint`)
	findspotFlags = wordSet(`--dir --json --no-servers --verbose -v --limit --kind --kinds --view --tests --path --paths --ids --generated --format --word --to --title --tiers --strict --section
		--regexp --passages --operators --numbers --max-tokens --max-lines --literal --level --ignore-case --hops --from --edge --edges --direction --cursor --collection --author
		--query-file --files --why --flat --weight --find --pages --first --last --lines --page --profile --help -h --repo --docs --collections`)
	// findspotValues are those of them that take a value, as far as it matters for finding the command.
	findspotBare = wordSet(`--json --no-servers --verbose -v --help -h`)
)

// findspotReads may only ask: no adding, no writing of files, no servers of others, no network. Language servers are left out, since they
// run programs of their own.
func findspotReads(_ *runner, _ string, args []string) ([]string, string) {
	var command []string
	for i := 1; i < len(args); i++ {
		a := args[i]
		name, _, glued := strings.Cut(a, "=")
		switch {
		case a == "--":
			return nil, "findspot: -- hides what follows"
		case strings.HasPrefix(a, "-") && a != "-":
			if !findspotFlags[name] {
				return nil, "findspot " + name + " is not one of the flags that only read"
			}
			if len(command) == 0 && !glued && !findspotBare[name] {
				i++ // its value
			}
		case len(command) < 2:
			command = append(command, a)
		}
	}
	if len(command) == 0 {
		return args, ""
	}
	full := strings.Join(command, "/")
	if !findspotCommands[command[0]] && !findspotCommands[full] {
		return nil, "findspot " + strings.Join(command, " ") + " does not only read"
	}
	if slices.Contains(args, "--no-servers") {
		return args, ""
	}
	return append([]string{args[0], "--no-servers"}, args[1:]...), ""
}
