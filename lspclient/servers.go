package lspclient

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/lspclient/internal/session"
	"golang.org/x/sync/errgroup"
)

// ServerStatus tells about one server of the registry, see [Client.Servers].
type ServerStatus struct {
	Name      string   `json:"name"`
	Languages []string `json:"languages"`
	// Command is the program's path, or the name looked for when it is not installed.
	Command string `json:"command"`
	Version string `json:"version"` // empty when unknown
	// Installed: on PATH, outside the root, and its probe succeeded. Running: at least one process serves this client.
	// Ready: every one of them has read its workspace.
	Installed bool `json:"installed"`
	Running   bool `json:"running"`
	Ready     bool `json:"ready"`
	// Install is the command that installs it.
	Install string `json:"install"`
	// Problem says why it is not installed or not ready; empty when all is well.
	Problem string `json:"problem"`
	// Lacks say in plain words, behind "it", what the version that is installed cannot do: "has no outgoing calls". Never null in
	// JSON.
	Lacks []string `json:"lacks"`
	// Processes are those that run for this client, one for each workspace folder, sorted by folder. Never null in JSON.
	Processes []ServerProcess `json:"processes"`
}

// ServerProcess is one run of a server.
type ServerProcess struct {
	Folder string `json:"folder"` // the workspace folder, relative to the root; "." is the root
	PID    int    `json:"pid"`
	// PIDs are all processes that belong to it, its own first, the others sorted. On systems other than Linux it is alone.
	PIDs []int `json:"pids"`
	// Memory is what they have resident, in bytes; what they share counts for each. 0 when it is not known.
	Memory int64     `json:"memory"`
	Since  time.Time `json:"since"` // when it was started
	// Idle is how long it has not been asked anything, in nanoseconds in JSON; 0 while a question is under way.
	Idle      time.Duration `json:"idle"`
	Documents int           `json:"documents"` // open in it
	// Network is what it has of the network: "none" (the kernel gives it none), "variables" (the kernel does not allow
	// that here, so that only the usual variables tell programs to stay off it) or "open" (Options.Trust).
	Network string `json:"network"`
	Ready   bool   `json:"ready"`   // it has read its folder
	Problem string `json:"problem"` // why not, or what it complains about; empty when all is well
}

// StartedServer says what came of starting one server in one workspace folder.
type StartedServer struct {
	Name   string `json:"name"`   // of its entry; empty when none is installed
	Folder string `json:"folder"` // relative to the root; "." is the root
	Files  int    `json:"files"`  // that it serves there
	Answer        // Complete: it has read its folder
	// Problem says why it did not start; empty when it did. It is not installed, died, or did not answer in time.
	Problem string `json:"problem"`
}

// Servers tells about every server of the registry, sorted by name. It looks for the programs and runs their probes,
// and starts no server.
func (c *Client) Servers(ctx context.Context) []ServerStatus {
	asked := c.pool.Measure()
	list := make([]ServerStatus, len(c.pool.Registry.Specs))
	for i, spec := range c.pool.Registry.Specs {
		st := ServerStatus{
			Name: spec.Name, Languages: slices.Sorted(maps.Keys(spec.Languages)),
			Command: spec.Commands[0].Program, Install: spec.Install, Lacks: []string{}, Processes: []ServerProcess{},
		}
		in, err := c.pool.Registry.Install(ctx, spec)
		if err != nil {
			st.Problem = err.Error()
			list[i] = st
			continue
		}
		st.Problem = in.Why
		if in.Path != "" {
			st.Command, st.Version, st.Installed, st.Problem = in.Path, in.Version, true, ""
			for _, l := range in.Spec.Lacks {
				st.Lacks = append(st.Lacks, l.Why)
			}
		}
		st.Ready = true
		for _, v := range asked {
			if v.Spec.Name != spec.Name {
				continue
			}
			if s := v.Running(); s != nil {
				st.Processes = append(st.Processes, c.process(s))
			}
			run, ready, problem := v.State()
			st.Running = st.Running || run
			st.Ready = st.Ready && (ready || !run)
			if problem != "" {
				st.Problem = problem
			}
		}
		st.Ready = st.Ready && st.Running
		slices.SortFunc(st.Processes, func(a, b ServerProcess) int { return strings.Compare(a.Folder, b.Folder) })
		list[i] = st
	}
	slices.SortStableFunc(list, func(a, b ServerStatus) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// process describes a session.
func (c *Client) process(s *session.Session) ServerProcess {
	m, idle := c.pool.Usage(s.Server)
	p := ServerProcess{
		Folder: c.pool.Tree.Relative(s.Server.Folder), PID: s.Process.PID(), PIDs: m.PIDs, Memory: m.Bytes, Since: s.Ready.Since,
		Network: string(s.Process.Network),
	}
	if len(p.PIDs) == 0 {
		p.PIDs = []int{p.PID}
	}
	if !idle.IsZero() {
		p.Idle = time.Since(idle)
	}
	p.Documents = s.Documents.Count()
	st, _ := s.Ready.Status()
	p.Ready, p.Problem = st.Signalled && st.Busy == "" && st.Problem == "", st.Problem
	if p.Problem == "" {
		p.Problem = st.Busy
	}
	return p
}

// Start starts the servers of the files below the root, and waits until each has read its folder, so that questions after it
// find them ready. Of more than eight workspace folders, those with the most files are taken; Options.MaxServers stops some again
// when it is less. Without a deadline it takes Options.Timeout at most: a server that is not ready by then is Indexing. The list has
// the folders with the most files first. The error is that of ctx, or of a closed client.
func (c *Client) Start(ctx context.Context) ([]StartedServer, error) {
	ctx, cancel := c.pool.Deadline(ctx)
	defer cancel()
	folders, err := c.pool.Folders(ctx)
	if err != nil {
		return nil, public(err)
	}
	if len(folders) > session.MaxFolders {
		folders = folders[:session.MaxFolders]
	}
	out := make([]StartedServer, len(folders))
	var g errgroup.Group
	g.SetLimit(session.MaxFolders)
	for i, f := range folders {
		out[i] = StartedServer{Folder: c.pool.Tree.Relative(f.Dir), Files: len(f.Files)}
		if f.Err != nil {
			out[i].Problem = f.Err.Error()
			continue
		}
		out[i].Name = f.Server.Spec.Name
		g.Go(func() error {
			a, err := f.Start(ctx)
			if err != nil {
				out[i].Problem = err.Error()
				return nil
			}
			out[i].Answer = answer(a)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, public(fmt.Errorf("start servers: %w", err))
	}
	if err := c.pool.Living(); err != nil {
		return nil, err
	}
	return out, nil
}
