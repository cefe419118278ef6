package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/claude"
	"github.com/findspot/findspot/skill/openai"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "following:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("following", flag.ContinueOnError)
	provider := fs.String("model", "", "claude or openai: a real model instead of the scripted ones")
	name := fs.String("name", "", "the real model's name")
	only := fs.String("only", "", "only tasks whose name has this text")
	each := fs.Bool("each", false, "print every run behind the table")
	asJSON := fs.Bool("json", false, "print every run as JSON instead")
	if err := fs.Parse(args); err != nil {
		return err
	}
	models, start := temperaments, newScripted
	if *provider != "" {
		m, missing, err := real(*provider, *name)
		if err != nil {
			return err
		}
		if missing != "" {
			_, err := fmt.Fprintln(stdout, "not run:", missing)
			return err
		}
		models, start = []string{*name}, func(string, *task) (skill.Model, error) { return m, nil }
	}
	all, err := measure(ctx, *only, models, start)
	if err != nil {
		return err
	}
	if *asJSON {
		err = writeJSON(stdout, all)
	} else if err = writeTable(stdout, all); *each {
		for _, p := range all {
			fmt.Fprintln(stdout, line(p))
		}
	}
	if bad := wrong(all); len(bad) > 0 {
		err = errors.Join(err, errors.New(strings.Join(bad, "\n")))
	}
	return err
}

// measure runs the tasks whose name has a text.
func measure(ctx context.Context, only string, models []string, start func(string, *task) (skill.Model, error)) (_ []*performance, err error) {
	tasks, err := loadTasks()
	if err != nil {
		return nil, err
	}
	tasks = slices.DeleteFunc(tasks, func(t *task) bool { return !strings.Contains(t.Name, only) })
	dir, err := os.MkdirTemp("", "following")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	w, err := newWorld(ctx, dir, tasks)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return w.performAll(ctx, tasks, models, start)
}

// real is a model behind an adapter. missing says what the environment lacks for it.
func real(provider, name string) (m skill.Model, missing string, err error) {
	variables := map[string][]string{"claude": {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"}, "openai": {"OPENAI_API_KEY", "OPENAI_BASE_URL"}}[provider]
	switch {
	case variables == nil:
		return nil, "", fmt.Errorf("-model %s: there are claude and openai", provider)
	case name == "":
		return nil, "", fmt.Errorf("-model %s: give the name of a model with -name", provider)
	case !slices.ContainsFunc(variables, func(v string) bool { return os.Getenv(v) != "" }):
		return nil, "neither " + strings.Join(variables, " nor ") + " is set", nil
	case provider == "claude":
		m, err = claude.New(name, nil)
	default:
		m, err = openai.New(name, nil)
	}
	return m, "", err
}
