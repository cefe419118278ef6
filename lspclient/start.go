package lspclient

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// StartedServer says what came of starting one server in one workspace folder.
type StartedServer struct {
	Name   string `json:"name"`   // of its entry; empty when none is installed
	Folder string `json:"folder"` // relative to the root; "." is the root
	Files  int    `json:"files"`  // that it serves there
	Answer        // Complete: it has read its folder
	// Problem says why it did not start; empty when it did. It is not installed, died, or did not answer in time.
	Problem string `json:"problem"`
}

// Start starts the servers of the files below the root, and waits until each has read its folder, so that questions after it
// find them ready. Of more than eight workspace folders, those with the most files are taken; Options.MaxServers stops some again
// when it is less. Without a deadline it takes Options.Timeout at most: a server that is not ready by then is Indexing. The list has
// the folders with the most files first. The error is that of ctx, or of a closed client.
func (c *Client) Start(ctx context.Context) ([]StartedServer, error) {
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	folders, err := c.folders(ctx)
	if err != nil {
		return nil, err
	}
	if len(folders) > maxFolders {
		folders = folders[:maxFolders]
	}
	out := make([]StartedServer, len(folders))
	var g errgroup.Group
	g.SetLimit(maxFolders)
	for i, f := range folders {
		out[i] = StartedServer{Folder: c.tree.Relative(f.dir), Files: len(f.files)}
		if f.err != nil {
			out[i].Problem = f.err.Error()
			continue
		}
		out[i].Name = f.server.spec.Name
		g.Go(func() error {
			a, err := ask(ctx, f.server, question[struct{}]{
				method: "starting",
				show: func(ctx context.Context, s *session) error {
					if !s.srv.spec.Ready.Open {
						return nil
					}
					_, err := s.documents.open(ctx, f.sample)
					return err
				},
				ask:  func(context.Context, *session) (struct{}, error) { return struct{}{}, nil },
				same: func(struct{}, struct{}) bool { return true },
			})
			if err != nil {
				out[i].Problem = err.Error()
				return nil
			}
			out[i].Answer = a.said()
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("start servers: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	return out, nil
}
