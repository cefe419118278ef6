package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/findspot/internal/attach"
	"github.com/findspot/findspot/examples/findspot/internal/env"
)

// aloneKey is an annotation of commands that a server is never asked for: they need no index.
const aloneKey = "alone"

// alone marks commands that need no index, and those below them.
func alone(list ...*cobra.Command) {
	for _, c := range list {
		if c.Annotations == nil {
			c.Annotations = map[string]string{}
		}
		c.Annotations[aloneKey] = "true"
	}
}

// isAlone reports whether a command, or one above it, is marked so, or is one of cobra's own.
func isAlone(c *cobra.Command) bool {
	for ; c != nil; c = c.Parent() {
		if c.Annotations[aloneKey] != "" || slices.Contains([]string{"help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, c.Name()) {
			return true
		}
	}
	return false
}

// forwarded ends a command that a server ran.
type forwarded struct{ status int }

func (*forwarded) Error() string { return "a server ran the command" }

// self is this program, as servers and clients compare it. A build that no version tells from another has the time of its file.
var self = sync.OnceValue(func() attach.About {
	v := thisBuild()
	s := v.Version
	if v.Revision != "" {
		s += " (" + v.Revision[:min(12, len(v.Revision))] + map[bool]string{true: ", with changes"}[v.Modified] + ")"
	}
	if me, err := os.Executable(); err == nil && (v.Modified || !strings.HasPrefix(v.Version, "v")) {
		if info, err := os.Stat(me); err == nil {
			s += ", built " + info.ModTime().UTC().Format("2006-01-02T15:04:05Z")
		}
	}
	return attach.About{Version: s, Format: findspot.IndexFormat}
})

// ownFiles are names that mean something else in another process.
var ownFiles = []string{"/dev/fd/", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/proc/self/", "/proc/thread-self/"}

// forward has the server that holds the index run the command. The error is nil when there is none, or none that can: the command runs here then.
func forward(a *app, c *cobra.Command) error {
	if a.env.Served || a.noServer || a.env.Getenv("FINDSPOT_NO_SERVER") != "" || isAlone(c) || c.HasSubCommands() && c.Name() != "mcp" { // the others only print help
		return nil
	}
	if slices.ContainsFunc(a.args, func(arg string) bool {
		return slices.ContainsFunc(ownFiles, func(own string) bool { return strings.Contains(arg, own) })
	}) {
		return nil
	}
	index, err := indexOf(a)
	if err != nil {
		return nil // the command says so
	}
	ctx := c.Context()
	client, err := attach.Dial(ctx, index, self())
	if err != nil {
		if !errors.Is(err, attach.ErrNone) && ctx.Err() == nil {
			a.complain(err)
		}
		return nil
	}
	defer client.Close()
	if err := client.Fits(); err != nil {
		a.complain(err)
		return nil
	}
	call := &attach.Call{Args: a.args, Dir: a.env.Dir, Env: map[string]string{}}
	for _, name := range env.Names() {
		if v := a.env.Getenv(name); v != "" {
			call.Env[name] = v
		}
	}
	for i, s := range []any{a.env.Stdin, a.env.Stdout, a.env.Stderr} {
		if t, ok := s.(env.Terminal); ok {
			call.Terminals[i].Columns, call.Terminals[i].Terminal = t.Terminal()
		}
	}
	if c.Name() == "mcp" { // whose client leaves by closing them
		defer a.env.CatchBrokenPipes()()
	}
	status, used, err := client.Run(ctx, call, attach.Streams{In: a.env.Stdin, Out: a.env.Stdout, Err: a.env.Stderr})
	switch {
	case err == nil:
		return &forwarded{status}
	case used || ctx.Err() != nil:
		return err
	}
	return nil // the server ended before it began: it is done here
}

// lockedBy names the server where it is what keeps the index from a command that runs alone.
func lockedBy(a *app, err error) error {
	locked, ok := errors.AsType[*findspot.LockedError](err)
	if !ok || locked.PID == 0 {
		return err
	}
	index, ierr := indexOf(a)
	if ierr != nil || attach.Holder(index).PID != locked.PID {
		return err
	}
	way := "end it with \"findspot serve stop\""
	if a.noServer || a.env.Getenv("FINDSPOT_NO_SERVER") != "" {
		way = "run the command in it, without --no-server or FINDSPOT_NO_SERVER, or " + way
	}
	return fmt.Errorf("findspot serve (process %d) keeps the index %s: %s", locked.PID, index, way)
}

// indexOf is the absolute path of the folder of the index.
func indexOf(a *app) (string, error) {
	if a.dir != "" {
		return a.env.Path(a.dir), nil
	}
	place, err := a.look()
	return a.env.Path(place.Index), err
}
