package hosttools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/command"
	"github.com/findspot/findspot/skill"
)

type commandInput struct {
	Command []string `json:"command" alias:"args,argv,cmd" max:"65536" jsonschema:"program name and arguments, one element each; no shell is used"`
	Dir     string   `json:"dir,omitempty" alias:"cwd,workdir" jsonschema:"folder to run in, relative to the one that was opened"`
}

// Command is the tool run_command.
func Command(opt command.Options) skill.Tool {
	t := agenttools.New("run_command", "Runs a program with its arguments, without a shell, in the folder that was opened. findspot, rg, ast-grep and jq run if they only read; "+
		"everything else needs approval or is refused; what deletes or uses the network is refused.",
		"Use it where no other tool does the job. There are no pipes, variables or patterns: arguments are passed as they are.",
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
			return commandResult(*res), nil
		}).Tool
	t.Writes = true
	return t
}

// commandResult is what a command printed, for a model.
func commandResult(res command.Result) *skill.Result {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: status %d\n", strings.Join(res.Args, " "), res.Status)
	if res.Killed != "" {
		fmt.Fprintf(&b, "killed: %s\n", res.Killed)
	}
	b.WriteString(res.Stdout)
	if res.Stderr != "" {
		b.WriteString("\n--- standard error\n" + res.Stderr)
	}
	out := agenttools.TextOnly(b.String(), res, agenttools.ReadTokens, "ask for less: a narrower pattern, a count, a limit of the program's own")
	out.Structured = nil // it may be in any form: the text has it as it is
	if res.Lost > 0 {
		out.Cut = strings.Trim(fmt.Sprintf("%s; %d bytes of output were not kept", out.Cut, res.Lost), "; ")
		out.Text += fmt.Sprintf("\n(%d bytes of output were not kept)\n", res.Lost)
	}
	return out
}
