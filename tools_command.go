package findspot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/command"
	"github.com/findspot/findspot/internal/secrets"
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

func (w *Workspace) commandTool(o *CommandOptions) skill.Tool {
	opt := command.Options{Dir: o.Dir, Path: o.Path, Env: o.Env, Timeout: o.Timeout, MaxOutput: o.MaxOutput, Readable: w.policy().Allowed}
	if o.Allow != nil {
		opt.Allow = func(ctx context.Context, c command.Request) (bool, error) { return o.Allow(ctx, CommandRequest(c)) }
	}
	if !w.opt.ShowSecrets {
		opt.HideGlobs = []string{secrets.Glob()}
	}
	t := agenttools.New("run_command", "Runs a program with its arguments, without a shell, in the folder that was opened. findspot, rg, ast-grep and jq run where they only read; "+
		"everything else is asked of a person or refused; what deletes or uses the network is refused.",
		"Use it where no other tool does the job. There are no pipes, variables or patterns: the program gets the arguments as they are.",
		func(ctx context.Context, in commandInput) (*skill.Result, error) {
			res, err := command.Run(ctx, &opt, in.Command, in.Dir)
			var refusal *command.Refusal
			switch {
			case errors.As(err, &refusal):
				return nil, &skill.DeniedError{Tool: "run_command", Because: refusal.Because}
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				return nil, fmt.Errorf("run_command: %w", err)
			}
			return commandResult(CommandResult(*res)), nil
		}).Tool
	t.Writes = true
	return t
}

// commandResult is what a command printed, for a model.
func commandResult(res CommandResult) *skill.Result {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: status %d\n", strings.Join(res.Args, " "), res.Status)
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
	return out
}
