package findspot

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

	"github.com/findspot/findspot/skill"
)

// CommandOptions of the tool run_command.
type CommandOptions struct {
	// Dir is the folder in which commands run and below which they read. It is required.
	Dir string
	// Allow is asked for every command that is not allowed or denied by rule, and answers whether it may run. Nil: none of them.
	Allow func(ctx context.Context, c CommandRequest) (bool, error)
	// Path are the folders where programs are looked up. Nil: those of the process's PATH that are absolute, lie outside of Dir and
	// cannot be written to by everybody.
	Path []string
	// Env is added to the environment of commands, as NAME=value: they get nothing else of the process's own but the
	// path, an empty home and a language.
	Env     []string
	Timeout time.Duration // 0: a minute; the whole process group is killed then
	// MaxOutput is how many bytes of each of the two outputs are kept; 0: 64 kB.
	MaxOutput int
}

// A CommandRequest is a command that somebody must allow.
type CommandRequest struct {
	Program string   `json:"program"` // absolute path of what would run
	Args    []string `json:"args"`    // with the program's name first
	Dir     string   `json:"dir"`     // absolute
	Why     string   `json:"why"`     // why it is asked: what the rules do not allow
}

// A CommandResult is what run_command tells. A command that ends with another status than 0 is no error of the tool.
type CommandResult struct {
	Args   []string `json:"args"`
	Status int      `json:"status"` // -1: it was killed
	Stdout string   `json:"stdout"`
	Stderr string   `json:"stderr"`
	Lost   int      `json:"lost"` // bytes of output that were not kept
	Killed string   `json:"killed,omitempty"`
}

type commandInput struct {
	Command []string `json:"command" alias:"args,argv,cmd" max:"65536" jsonschema:"the program's name and its arguments, one element each; no shell reads them"`
	Dir     string   `json:"dir,omitempty" alias:"cwd,workdir" jsonschema:"folder to run in, relative to the one that was opened"`
}

const (
	maxCommandArgs  = 200
	maxCommandBytes = 64 << 10
)

func (w *Workspace) commandTool(o *CommandOptions) skill.Tool {
	c := &commander{w: w, opt: *o}
	if c.opt.Timeout <= 0 {
		c.opt.Timeout = time.Minute
	}
	if c.opt.MaxOutput <= 0 {
		c.opt.MaxOutput = 64 << 10
	}
	t := newTool("run_command", "Runs a program with its arguments, without a shell, in the folder that was opened. findspot, rg, ast-grep and jq run where they only read; "+
		"everything else is asked of a person or refused; what deletes or uses the network is refused.",
		"Use it where no other tool does the job. There are no pipes, variables or patterns: the program gets the arguments as they are.", c.call).Tool
	t.Writes = true
	return t
}

type commander struct {
	w   *Workspace
	opt CommandOptions
}

func refused(format string, args ...any) error {
	return &skill.DeniedError{Tool: "run_command", Because: fmt.Sprintf(format, args...)}
}

func (c *commander) call(ctx context.Context, in commandInput) (*skill.Result, error) {
	root, err := realPath(c.opt.Dir)
	if c.opt.Dir == "" || err != nil {
		return nil, fmt.Errorf("run_command: the folder that commands run in (CommandOptions.Dir): %w", errors.Join(err, fs.ErrInvalid))
	}
	total := 0
	for _, a := range in.Command {
		total += len(a)
		if strings.ContainsRune(a, 0) {
			return nil, errors.New("run_command: an argument holds a NUL byte")
		}
	}
	switch {
	case len(in.Command) == 0 || in.Command[0] == "":
		return nil, errors.New(`run_command: argument "command" is empty: the program's name and its arguments, such as ["rg", "-n", "detect_pss"]`)
	case len(in.Command) > maxCommandArgs || total > maxCommandBytes:
		return nil, fmt.Errorf("run_command: %w: %d arguments of %d bytes, the limits are %d and %d", ErrTooLarge, len(in.Command), total, maxCommandArgs, maxCommandBytes)
	}
	dir, err := realPath(filepath.Join(root, filepath.FromSlash(in.Dir)))
	if err != nil || filepath.IsAbs(in.Dir) || !below(root, dir) {
		return nil, fmt.Errorf("run_command: dir %q is no folder below the one that was opened", in.Dir)
	}
	if err := denied(in.Command); err != nil {
		return nil, err
	}
	program, err := c.find(root, in.Command[0])
	if err != nil {
		return nil, err
	}
	// What a name leads to counts as much as the name: a link called rg may be anything.
	if real, err := filepath.EvalSymlinks(program); err != nil {
		return nil, fmt.Errorf("run_command: %w", err)
	} else if err := denied(append([]string{filepath.Base(real)}, in.Command[1:]...)); err != nil {
		return nil, err
	}
	args := in.Command
	why := ""
	if allow := readers[args[0]]; allow == nil {
		why = args[0] + " is not one of findspot, rg, ast-grep and jq"
	} else if args, why = allow(c, dir, args); why == "" {
		why = c.outside(root, dir, append(in.Command[1:len(in.Command):len(in.Command)], "."))
	}
	if why != "" {
		ok := false
		if c.opt.Allow != nil {
			if ok, err = c.opt.Allow(ctx, CommandRequest{Program: program, Args: in.Command, Dir: dir, Why: why}); err != nil {
				return nil, fmt.Errorf("run_command: %w", err)
			}
			args = in.Command
		}
		if !ok {
			return nil, refused("%s, and nobody allowed it", why)
		}
	}
	return c.run(ctx, program, in.Command, args, dir)
}

// find looks a program up in trusted folders: never in the repository, and never by a path that was given.
func (c *commander) find(root, name string) (string, error) {
	if strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
		return "", refused("%s is a path: programs are given by name and looked up in trusted folders", name)
	}
	for _, d := range c.folders(root) {
		p := filepath.Join(d, name)
		info, err := os.Stat(p)
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 && runtime.GOOS != "windows" {
			continue
		}
		if real, err := filepath.EvalSymlinks(p); err != nil || below(root, real) {
			continue
		}
		return p, nil
	}
	return "", fmt.Errorf("run_command: program %s: %w in the trusted folders %s", name, ErrNotFound, strings.Join(c.folders(root), string(filepath.ListSeparator)))
}

func (c *commander) folders(root string) []string {
	list := c.opt.Path
	if list == nil {
		list = filepath.SplitList(os.Getenv("PATH"))
	}
	var out []string
	for _, d := range list {
		real, err := filepath.EvalSymlinks(d)
		if err != nil || !filepath.IsAbs(d) || below(root, real) {
			continue
		}
		if info, err := os.Stat(real); err != nil || !info.IsDir() || info.Mode().Perm()&0o002 != 0 && runtime.GOOS != "windows" {
			continue
		}
		out = append(out, d)
	}
	return out
}

// kept is the beginning of an output.
type kept struct {
	data []byte
	most int
	lost int
}

func (k *kept) Write(p []byte) (int, error) {
	n := min(len(p), k.most-len(k.data))
	k.data = append(k.data, p[:n]...)
	k.lost += len(p) - n
	return len(p), nil
}

// run runs a program with args, which are those that were given and what makes it safe.
func (c *commander) run(ctx context.Context, program string, given, args []string, dir string) (*skill.Result, error) {
	home, err := os.MkdirTemp("", "findspot-home-")
	if err != nil {
		return nil, fmt.Errorf("run_command: %w", err)
	}
	defer os.RemoveAll(home)
	timed, cancel := context.WithTimeout(ctx, c.opt.Timeout)
	defer cancel()
	root, err := realPath(c.opt.Dir)
	if err != nil {
		return nil, fmt.Errorf("run_command: %w", err)
	}
	stdout, stderr := &kept{most: c.opt.MaxOutput}, &kept{most: c.opt.MaxOutput}
	cmd := exec.CommandContext(timed, program, args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, stdout, stderr
	cmd.WaitDelay = 2 * time.Second
	cmd.Env = append([]string{"PATH=" + strings.Join(c.folders(root), string(filepath.ListSeparator)), "HOME=" + home, "TMPDIR=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home,
		"LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0"}, c.opt.Env...)
	ownGroup(cmd)
	err = cmd.Run()
	killGroup(cmd) // what it started and left behind
	res := CommandResult{Args: given, Status: -1, Lost: stdout.lost + stderr.lost,
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
		return nil, fmt.Errorf("run_command: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: status %d\n", strings.Join(given, " "), res.Status)
	if res.Killed != "" {
		fmt.Fprintf(&b, "killed: %s\n", res.Killed)
	}
	b.WriteString(res.Stdout)
	if res.Stderr != "" {
		b.WriteString("\n--- standard error\n" + res.Stderr)
	}
	out := textOnly(b.String(), res, readTokens, "ask for less: a narrower pattern, a count, a limit of the program's own")
	if res.Lost > 0 {
		out.Cut = strings.Trim(fmt.Sprintf("%s; %d bytes of output were not kept", out.Cut, res.Lost), "; ")
		out.Text += fmt.Sprintf("\n(%d bytes of output were not kept)\n", res.Lost)
	}
	return out, nil
}
