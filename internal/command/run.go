package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
)

// Options of [Run].
type Options struct {
	Dir       string                                       // the folder in which commands run and below which they read; required
	Allow     func(context.Context, Request) (bool, error) // asked for what is neither allowed nor denied by rule; nil: nothing else runs
	Path      []string                                     // folders where programs are looked up; nil: see trusted
	Env       []string                                     // added to the environment, as NAME=value
	Timeout   time.Duration                                // 0: a minute
	MaxOutput int                                          // bytes of each output that are kept; 0: 64 kB
	Readable  func(dir *rootfs.Dir, path string) error     // refuses files below Dir; required
	HideGlobs []string                                     // globs of files that rg leaves out
}

// A Request is a command that the host must allow.
type Request struct {
	Program string   // absolute path of what would run
	Args    []string // with the program's name first
	Dir     string   // absolute
	Why     string   // what the rules do not allow
}

// A Result is what a command printed. A command that ends with another status than 0 is no error.
type Result struct {
	Args   []string `json:"args"`
	Status int      `json:"status"` // -1: it was killed
	Stdout string   `json:"stdout"`
	Stderr string   `json:"stderr"`
	Lost   int      `json:"lost"` // bytes of output that were not kept
	Killed string   `json:"killed,omitempty"`
}

// A Refusal is the error for a command that may not run.
type Refusal struct{ Because string }

func (r *Refusal) Error() string { return r.Because }

func refused(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

const (
	maxArgs  = 200
	maxBytes = 64 << 10 // of all arguments
)

// runner runs commands below a root.
type runner struct {
	opt  Options
	root string // opt.Dir without links
}

// Run runs a command in a folder below o.Dir, given relative to it. The error is a [Refusal] when the command may not run.
func Run(ctx context.Context, o *Options, args []string, in string) (*Result, error) {
	c := &runner{opt: *o}
	if c.opt.Timeout <= 0 {
		c.opt.Timeout = time.Minute
	}
	if c.opt.MaxOutput <= 0 {
		c.opt.MaxOutput = 64 << 10
	}
	var err error
	if c.root, err = rootfs.Real(o.Dir); o.Dir == "" || err != nil {
		return nil, fmt.Errorf("the folder that commands run in (CommandOptions.Dir): %w", errors.Join(err, fs.ErrInvalid))
	}
	if err := check(args); err != nil {
		return nil, err
	}
	dir, err := rootfs.Real(filepath.Join(c.root, filepath.FromSlash(in)))
	if err != nil || filepath.IsAbs(in) || !rootfs.Below(c.root, dir) {
		return nil, fmt.Errorf("dir %q is no folder below the one that was opened", in)
	}
	if err := denied(args); err != nil {
		return nil, err
	}
	program, err := c.find(args[0])
	if err != nil {
		return nil, err
	}
	// What a name leads to counts as much as the name: a link called rg may be anything.
	if real, err := filepath.EvalSymlinks(program); err != nil {
		return nil, err
	} else if err := denied(append([]string{filepath.Base(real)}, args[1:]...)); err != nil {
		return nil, err
	}
	run, why := args, ""
	if allow := readers[args[0]]; allow == nil {
		why = args[0] + " is not one of findspot, rg, ast-grep and jq"
	} else if run, why = allow(c, dir, args); why == "" {
		why = c.outside(dir, append(args[1:len(args):len(args)], "."))
	}
	if why != "" {
		ok := false
		if c.opt.Allow != nil {
			if ok, err = c.opt.Allow(ctx, Request{Program: program, Args: args, Dir: dir, Why: why}); err != nil {
				return nil, err
			}
			run = args
		}
		if !ok {
			return nil, refused("%s, and nobody allowed it", why)
		}
	}
	return c.run(ctx, program, args, run, dir)
}

// check bounds the arguments.
func check(args []string) error {
	if len(args) == 0 || args[0] == "" {
		return errors.New(`argument "command" is empty: the program's name and its arguments, such as ["rg", "-n", "detect_pss"]`)
	}
	total := 0
	for _, a := range args {
		total += len(a)
		if strings.ContainsRune(a, 0) {
			return errors.New("an argument holds a NUL byte")
		}
	}
	if len(args) > maxArgs || total > maxBytes {
		return fmt.Errorf("%w: %d arguments of %d bytes, the limits are %d and %d", errs.TooLarge, len(args), total, maxArgs, maxBytes)
	}
	return nil
}

// find looks a program up in trusted folders: never in the repository, and never by a path that was given.
func (c *runner) find(name string) (string, error) {
	if strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
		return "", refused("%s is a path: programs are given by name and looked up in trusted folders", name)
	}
	for _, d := range c.trusted() {
		p := filepath.Join(d, name)
		info, err := os.Stat(p)
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 && runtime.GOOS != "windows" {
			continue
		}
		if real, err := filepath.EvalSymlinks(p); err != nil || rootfs.Below(c.root, real) {
			continue
		}
		return p, nil
	}
	return "", fmt.Errorf("program %s: %w in the trusted folders %s", name, errs.NotFound, strings.Join(c.trusted(), string(filepath.ListSeparator)))
}

// trusted are the folders where programs are looked up: those given, or those of PATH; absolute, outside of the root and not writable by everybody.
func (c *runner) trusted() []string {
	list := c.opt.Path
	if list == nil {
		list = filepath.SplitList(os.Getenv("PATH"))
	}
	var out []string
	for _, d := range list {
		real, err := filepath.EvalSymlinks(d)
		if err != nil || !filepath.IsAbs(d) || rootfs.Below(c.root, real) {
			continue
		}
		if info, err := os.Stat(real); err != nil || !info.IsDir() || info.Mode().Perm()&0o002 != 0 && runtime.GOOS != "windows" {
			continue
		}
		out = append(out, d)
	}
	return out
}

// A prefix is a writer that keeps the beginning of an output.
type prefix struct {
	data []byte
	most int
	lost int
}

func (k *prefix) Write(p []byte) (int, error) {
	n := min(len(p), k.most-len(k.data))
	k.data = append(k.data, p[:n]...)
	k.lost += len(p) - n
	return len(p), nil
}

// run runs a program with args, which are those that were given and what makes it safe.
func (c *runner) run(ctx context.Context, program string, given, args []string, dir string) (*Result, error) {
	home, err := os.MkdirTemp("", "findspot-home-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	timed, cancel := context.WithTimeout(ctx, c.opt.Timeout)
	defer cancel()
	stdout, stderr := &prefix{most: c.opt.MaxOutput}, &prefix{most: c.opt.MaxOutput}
	cmd := exec.CommandContext(timed, program, args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, stdout, stderr
	cmd.WaitDelay = 2 * time.Second
	cmd.Env = append([]string{"PATH=" + strings.Join(c.trusted(), string(filepath.ListSeparator)), "HOME=" + home, "TMPDIR=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home,
		"LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0"}, c.opt.Env...)
	ownGroup(cmd)
	err = cmd.Run()
	killGroup(cmd) // what it started and left behind
	res := &Result{Args: given, Status: -1, Lost: stdout.lost + stderr.lost,
		Stdout: strings.ToValidUTF8(string(stdout.data), "\ufffd"), Stderr: strings.ToValidUTF8(string(stderr.data), "\ufffd")}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case timed.Err() != nil:
		res.Killed = fmt.Sprintf("it took longer than %s", c.opt.Timeout)
	case err == nil:
		res.Status = 0
	case errors.As(err, &exit):
		res.Status = exit.ExitCode()
	case errors.Is(err, exec.ErrWaitDelay): // a process that it left held the output open
		res.Status = cmd.ProcessState.ExitCode()
	default:
		return nil, err
	}
	return res, nil
}
