package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// commands are what is measured.
var commands = [][]string{
	{"version"}, // the process alone
	{"code", "search", "QuerySet.filter"},
	{"code", "traverse", "django/db/models/query.py:QuerySet.filter", "--direction", "callers"},
	{"code", "retrieve", "django/db/models/query.py:QuerySet.filter"},
	{"code", "locate", "QuerySet.filter ignores an empty Q object"},
	{"code", "callers", "django/db/models/query.py:QuerySet.filter", "--no-servers"},
	{"code", "grep", "-w", "get_or_create", "--limit", "20"},
	{"ask", "where are migrations squashed?", "--no-servers"},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	program := flag.String("findspot", "findspot", "the program")
	repo := flag.String("repo", "", "a clone or an unpacked release of Django")
	n := flag.Int("n", 200, "calls of each command, each way")
	flag.Parse()
	if err := run(ctx, *program, *repo, *n); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, program, repo string, n int) (err error) {
	repo, err = filepath.Abs(repo)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-serve-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if _, err := call(ctx, program, dir, "code", "index", repo); err != nil {
		return err
	}
	alone := map[string][]time.Duration{}
	outputs := map[string]string{}
	for _, c := range commands {
		name := strings.Join(c, " ")
		if alone[name], outputs[name], err = measure(ctx, program, dir, c, n); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // the server does not outlive a measurement that failed
	server := exec.CommandContext(ctx, program, "serve", "--no-http")
	server.Dir = dir
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	if err := server.Start(); err != nil {
		return err
	}
	ready := false
	for began := time.Now(); !ready && time.Since(began) < time.Minute; time.Sleep(100 * time.Millisecond) {
		out, err := call(ctx, program, dir, "serve", "status", "--json")
		ready = err == nil && strings.Contains(out, `"ready": true`)
	}
	if !ready {
		return errors.New("the server does not answer")
	}
	fmt.Print("| command | alone: calls | median, ms | 95 % | most | server: calls | median, ms | 95 % | most | same output |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range commands {
		name := strings.Join(c, " ")
		times, out, err := measure(ctx, program, dir, c, n)
		if err != nil {
			return err
		}
		fmt.Printf("| `%s` | %s | %s | %v |\n", name, figures(alone[name]), figures(times), out == outputs[name])
	}
	if _, err := call(ctx, program, dir, "serve", "stop"); err != nil {
		return err
	}
	return server.Wait()
}

// longest bounds the measuring of one command; what is slower is called less often, but at least fewest times.
const (
	longest = 40 * time.Second
	fewest  = 20
)

// measure calls a command so many times, after one call that is not counted.
func measure(ctx context.Context, program, dir string, args []string, n int) (times []time.Duration, out string, err error) {
	start := time.Now()
	for i := range n + 1 {
		if i > fewest && time.Since(start) > longest {
			break
		}
		began := time.Now()
		if out, err = call(ctx, program, dir, args...); err != nil {
			return nil, "", err
		}
		if i > 0 {
			times = append(times, time.Since(began))
		}
	}
	slices.Sort(times)
	return times, out, nil
}

// call runs the program. Status 1, nothing found, is no error.
func call(ctx context.Context, program, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 && args[0] != "serve" {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("%q: %w: %s", args, err, errs.String())
	}
	return out.String(), err
}

func figures(times []time.Duration) string {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }
	return fmt.Sprint(len(times)) + " | " + ms(times[len(times)/2]) + " | " + ms(times[(len(times)*95+99)/100-1]) + " | " + ms(times[len(times)-1])
}
