package lspclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/documents"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/process"
	"github.com/findspot/findspot/lspclient/internal/project"
	"github.com/findspot/findspot/lspclient/internal/ready"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
	"go.lsp.dev/protocol"
)

// startSession starts the program and shakes hands. It takes no longer than ctx allows.
func startSession(ctx context.Context, srv *server) (*session, error) {
	c := srv.client
	in := srv.install
	data, err := project.OpenDatabase(srv.spec.Database, srv.spec.Name, srv.folder)
	if err != nil {
		return nil, &ServerError{Server: srv.spec.Name, Err: err}
	}
	own, err := project.OpenData(c.registry.Inside, srv.spec.Name, in.Args)
	if err != nil {
		return nil, &ServerError{Server: srv.spec.Name, Err: err}
	}
	var sources *project.Eclipse
	dir := srv.folder
	if srv.spec.Project == registry.Eclipse {
		version := ""
		if in.Runtime != nil {
			version = in.Runtime.Version
		}
		if sources, err = project.NewEclipse(ctx, c.tree, srv.folder, srv.owns, version, own); err != nil {
			return nil, &ServerError{Server: srv.spec.Name, Err: errors.Join(err, own.Close())}
		}
		dir = own.Project
	}
	proc, err := process.Start(process.Command{
		Path: in.Path, Args: slices.Concat(own.Fill(in.Args), data.Args()),
		Env: own.FillEnv(in.Runtime.Environ(in.Rule, c.registry.Environ(srv.spec, !c.opts.Trust))), Dir: dir,
		CutOff: !c.opts.Trust, Guard: &c.guard,
	})
	if err != nil {
		return nil, &ServerError{Server: srv.spec.Name, Err: errors.Join(fmt.Errorf("starting %s: %w", in.Path, err), own.Close())}
	}
	if proc.GuardErr != nil {
		c.opts.Logger.Info("lspclient: server not guarded", "server", srv.spec.Name, "reason", proc.GuardErr.Error())
	}
	s := &session{
		srv: srv, proc: proc, ready: ready.New(srv.spec),
		label:    strings.TrimSpace(srv.spec.Name + " " + in.Version),
		database: data, data: own, project: sources,
		settings: settings{srv.spec, in, c.registry.LookPath, c.opts.Trust},
	}
	s.documents = documents.New(s, srv.spec, srv.folder, c.tree, s.ready, sources)
	s.guard = newCrashGuard(s, &srv.crashes)
	s.ready.Lack(data.Lack())
	if n := srv.spec.Concurrency; n > 0 {
		s.slots = make(chan struct{}, n)
	}
	s.conn = jsonrpc.NewConn(proc.Stdout, proc.Stdin, s.serve, proc.Stderr.Add)
	if err := s.handshake(ctx); err != nil {
		err = s.failed("initialize", err)
		s.end()
		return nil, err
	}
	c.workers.Go(func() { // what has ended leaves nothing behind, whether anybody asks again or not
		<-s.conn.Done
		s.guard.autopsy()
		s.end()
	})
	return s, nil
}

func (s *session) handshake(ctx context.Context) error {
	if err := s.documents.Start(ctx); err != nil {
		return err
	}
	uri := source.FileURI(s.shownFolder())
	params := map[string]any{
		"processId":             os.Getpid(),
		"clientInfo":            map[string]any{"name": "findspot"},
		"rootPath":              s.shownFolder(),
		"rootUri":               uri,
		"workspaceFolders":      s.folders(),
		"initializationOptions": s.settings.initOptions(),
		"capabilities":          json.RawMessage(clientCapabilities(s.srv.spec.Encodings)),
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	var result wire.InitializeResult
	answer, err := s.conn.RoundTrip(ctx, protocol.MethodInitialize, json.RawMessage(raw))
	if err == nil && string(answer) == "null" {
		err = fmt.Errorf("%w: an answer without capabilities", errs.Format)
	}
	if err == nil {
		err = jsonrpc.Decode(answer, &result)
	}
	if err != nil {
		return err
	}
	s.caps = result.Capabilities
	s.guard.inputs.Build = strings.TrimSpace(s.srv.install.Build() + " " + excerpt.Clip(result.Version, 100))
	s.encoding = cmp.Or(source.Encoding(s.caps.Text("positionEncoding")), source.UTF16)
	offered := s.srv.spec.Encodings
	if len(offered) == 0 {
		offered = []string{string(source.UTF8), string(source.UTF16), string(source.UTF32)}
	}
	if e := string(s.encoding); e != string(source.UTF16) && !slices.Contains(offered, e) {
		return fmt.Errorf("%w: position encoding %q, which was not offered", errs.Format, excerpt.Clip(e, 100))
	}
	if len(s.srv.spec.Encodings) == 1 {
		s.encoding = source.Encoding(s.srv.spec.Encodings[0])
	}
	if s.srv.install.Version == "" && result.Version != "" {
		s.label = s.srv.spec.Name + " " + excerpt.Clip(result.Version, 40)
	}
	if err := s.conn.Notify(ctx, protocol.MethodInitialized, json.RawMessage("{}")); err != nil {
		return err
	}
	// Some servers read their settings only from this notification.
	raw, err = json.Marshal(map[string]any{"settings": s.settings.configuration()})
	if err != nil {
		return err
	}
	return s.conn.Notify(ctx, protocol.MethodWorkspaceDidChangeConfiguration, json.RawMessage(raw))
}

func (s *session) folders() []map[string]string {
	return []map[string]string{{"uri": source.FileURI(s.shownFolder()), "name": filepath.Base(s.srv.folder)}}
}

// shownFolder is the folder that the server works in: the workspace folder, or the project that stands for it.
func (s *session) shownFolder() string {
	if s.project != nil {
		return s.project.Data.Project
	}
	return s.srv.folder
}
