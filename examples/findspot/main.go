package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/internal/visible"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	e, err := env.Process()
	if err != nil {
		fmt.Fprintf(os.Stderr, "findspot: %v\n", err)
		os.Exit(exitFailed)
	}
	e.Spare = spareMemory
	code := run(ctx, os.Args[1:], e)
	stop()
	os.Exit(code)
}

// spareMemory has the collector run more often than by default: the facts of a large repository are all live while they are
// linked, and so is what is known of each document of a large library while documents are added; twice their memory is a lot. It costs a few per
// cent of the time. GOGC in the environment says otherwise.
func spareMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(40)
	}
}

// run is main without the process, so that tests and servers can call it.
func run(ctx context.Context, args []string, e *env.Env) int {
	stdout := e.Stdout
	checked := &checkedWriter{w: stdout}
	if !env.IsTerminal(stdout) {
		stdout = checked
	}
	// What documents and code hold is shown, not obeyed. The command pdf gives its text as it is where no terminal reads it.
	shown := &screen{Writer: visible.NewWriter(stdout), of: stdout}
	a := &app{args: args, console: console{env: e, stdin: e.Stdin, stdout: shown, exact: stdout, stderr: e.Stderr}}
	if isTerminal(stdout) {
		a.exact = shown
	}
	a.address = a.addresses(ctx)
	if isTerminal(shown) && e.Styles() {
		shown.address = a.address
	}
	shown.plain = func() bool { return !e.Styles() || a.output != outputText || a.json } // flags are read later
	args, a.helpAll = wantsAllHelp(args)
	cmd := a.root()
	cmd.SetArgs(args)
	cmd.SetIn(e.Stdin)
	cmd.SetOut(shown)
	cmd.SetErr(e.Stderr)
	err := cmd.ExecuteContext(ctx)
	if f := (*forwarded)(nil); errors.As(err, &f) {
		return f.status
	}
	a.endProgress()
	a.tellProblems()
	lost := shown.Flush()
	if s, ok := e.Stdout.(interface{ Settle() error }); ok && checked.err == nil && !env.IsTerminal(e.Stdout) { // it is on its way to another process
		checked.err = s.Settle()
	}
	if checked.err != nil { // of which the output's other errors come
		if err == nil || errors.Is(err, errNo) || errors.Is(err, checked.err) {
			err, lost = nil, fmt.Errorf("the output could not be written: %w", checked.err)
		} else if errors.Is(lost, checked.err) {
			lost = nil
		}
	}
	end := errors.Join(a.close(), lost)
	no := errors.Is(err, errNo) && end == nil
	if !no {
		err = errors.Join(err, end)
	}
	switch {
	case no && ctx.Err() == nil:
		if a.bad > 0 {
			return exitFailed
		}
		return exitNone
	case errors.Is(err, errReported):
		return exitFailed
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(e.Stderr, "findspot: interrupted; run the command again to continue")
		return exitFailed
	case err != nil:
		a.complain(lockedBy(a, err))
		var usage *usageError
		if errors.As(err, &usage) {
			return exitUsage
		}
		if errors.Is(err, errNotVerified) || errors.Is(err, errCases) {
			return exitNone
		}
		return exitFailed
	case a.bad > 0:
		if a.bad > a.told {
			fmt.Fprintf(e.Stderr, "findspot: %s could not be read, see above; the rest was used\n", count(a.bad, "input", "inputs"))
		}
		return exitFailed
	}
	return exitOK
}

// wantsAllHelp makes --help of --help-all in the arguments, and reports whether it was there.
func wantsAllHelp(args []string) ([]string, bool) {
	end := len(args)
	if i := slices.Index(args, "--"); i >= 0 {
		end = i
	}
	if i := slices.Index(args[:end], "--help-all"); i >= 0 {
		args = slices.Clone(args)
		args[i] = "--help"
		return args, true
	}
	return args, false
}

// errNo ends a command that found nothing, or whose question has the answer no. What there is to say was said.
var errNo = errors.New("nothing was found")

// found ends a command that found n of what it was asked for.
func found(err error, n int) error {
	if err == nil && n == 0 {
		return errNo
	}
	return err
}

// errReported ends a command whose error has been printed in the command's own form.
var errReported = errors.New("reported")

// usageError is a command line that does not fit.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }
