package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/findspot/findspot/internal/visible"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// The exit statuses.
const (
	exitOK     = 0
	exitFailed = 1 // the command failed, or some of its input could not be read
	exitUsage  = 2 // the command's words are off
)

// run is main without the process, so that tests can call it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	checked := &checkedWriter{w: stdout}
	if !isTerminal(stdout) { // a terminal is recognised by its file
		stdout = checked
	}
	// What documents and code hold is shown, not obeyed. The command pdf gives its text as it is where no terminal reads it.
	shown := &screen{Writer: visible.NewWriter(stdout), of: stdout}
	a := &app{console: console{stdin: stdin, stdout: shown, exact: stdout, stderr: stderr}}
	if isTerminal(stdout) {
		a.exact = shown
	}
	cmd := a.root()
	cmd.SetArgs(args)
	cmd.SetIn(stdin)
	cmd.SetOut(shown)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	a.endProgress()
	a.tellProblems()
	err = errors.Join(err, a.close(), shown.Flush())
	if err == nil && checked.err != nil {
		err = fmt.Errorf("the output could not be written: %w", checked.err)
	}
	switch {
	case errors.Is(err, errReported):
		return exitFailed
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(stderr, "findspot: interrupted; run the command again to go on")
		return exitFailed
	case err != nil:
		a.complain(err)
		var usage *usageError
		if errors.As(err, &usage) {
			return exitUsage
		}
		return exitFailed
	case a.bad > 0:
		fmt.Fprintf(stderr, "findspot: %s could not be read, see above; the rest was used\n", count(a.bad, "input", "inputs"))
		return exitFailed
	}
	return exitOK
}

// errReported ends a command whose error has been printed in the command's own form.
var errReported = errors.New("reported")

// usageError is a command line that does not fit.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }
