package session

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
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/ready"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// startSession starts the program and shakes hands. It takes no longer than ctx allows.
func startSession(ctx context.Context, srv *Server) (*Session, error) {
	c := srv.Pool
	in := srv.Install
	data, err := project.OpenDatabase(srv.Spec.Database, srv.Spec.Name, srv.Folder)
	if err != nil {
		return nil, &ServerError{Server: srv.Spec.Name, Err: err}
	}
	own, err := project.OpenData(c.Registry.Inside, srv.Spec.Name, in.Args)
	if err != nil {
		return nil, &ServerError{Server: srv.Spec.Name, Err: err}
	}
	var sources *project.Eclipse
	dir := srv.Folder
	if srv.Spec.Project == registry.Eclipse {
		version := ""
		if in.Runtime != nil {
			version = in.Runtime.Version
		}
		if sources, err = project.NewEclipse(ctx, c.Tree, srv.Folder, srv.Owns, version, own); err != nil {
			return nil, &ServerError{Server: srv.Spec.Name, Err: errors.Join(err, own.Close())}
		}
		dir = own.Project
	}
	proc, err := process.Start(process.Command{
		Path: in.Path, Args: slices.Concat(own.Fill(in.Args), data.Args()),
		Env: own.FillEnv(in.Runtime.Environ(in.Rule, c.Registry.Environ(srv.Spec, !c.opts.Trust))), Dir: dir,
		CutOff: !c.opts.Trust, Guard: &c.guard,
	})
	if err != nil {
		return nil, &ServerError{Server: srv.Spec.Name, Err: errors.Join(fmt.Errorf("starting %s: %w", in.Path, err), own.Close())}
	}
	if proc.GuardErr != nil {
		c.opts.Logger.Info("lspclient: server not guarded", "server", srv.Spec.Name, "reason", proc.GuardErr.Error())
	}
	s := &Session{
		Server: srv, Process: proc, Ready: ready.New(srv.Spec),
		Label:    strings.TrimSpace(srv.Spec.Name + " " + in.Version),
		Database: data, data: own, Project: sources,
		Settings: Settings{srv.Spec, in, c.Registry.LookPath, c.opts.Trust},
	}
	s.Documents = documents.New(s, srv.Spec, srv.Folder, c.Tree, s.Ready, sources)
	s.guard = newCrashGuard(s, &srv.crashes)
	s.Ready.Lack(data.Lack())
	if n := srv.Spec.Concurrency; n > 0 {
		s.slots = make(chan struct{}, n)
	}
	s.Conn = jsonrpc.NewConn(proc.Stdout, proc.Stdin, s.Serve, proc.Stderr.Add)
	if err := s.handshake(ctx); err != nil {
		err = s.Fail("initialize", err)
		s.end()
		return nil, err
	}
	c.workers.Go(func() { // what has ended leaves nothing behind, whether anybody asks again or not
		<-s.Conn.Done
		s.guard.autopsy()
		s.end()
	})
	return s, nil
}

func (s *Session) handshake(ctx context.Context) error {
	if err := s.Documents.Start(ctx); err != nil {
		return err
	}
	uri := source.FileURI(s.shownFolder())
	params := map[string]any{
		"processId":             os.Getpid(),
		"clientInfo":            map[string]any{"name": "findspot"},
		"rootPath":              s.shownFolder(),
		"rootUri":               uri,
		"workspaceFolders":      s.folders(),
		"initializationOptions": s.Settings.initOptions(),
		"capabilities":          json.RawMessage(clientCapabilities(s.Server.Spec.Encodings)),
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	var result wire.InitializeResult
	answer, err := s.Conn.RoundTrip(ctx, protocol.MethodInitialize, json.RawMessage(raw))
	if err == nil && string(answer) == "null" {
		err = fmt.Errorf("%w: an answer without capabilities", errs.Format)
	}
	if err == nil {
		err = jsonrpc.Decode(answer, &result)
	}
	if err != nil {
		return err
	}
	s.Caps = result.Capabilities
	s.guard.inputs.Build = strings.TrimSpace(s.Server.Install.Build() + " " + excerpt.Clip(result.Version, 100))
	s.Encoding = cmp.Or(source.Encoding(s.Caps.Text("positionEncoding")), source.UTF16)
	offered := s.Server.Spec.Encodings
	if len(offered) == 0 {
		offered = []string{string(source.UTF8), string(source.UTF16), string(source.UTF32)}
	}
	if e := string(s.Encoding); e != string(source.UTF16) && !slices.Contains(offered, e) {
		return fmt.Errorf("%w: position encoding %q, which was not offered", errs.Format, excerpt.Clip(e, 100))
	}
	if len(s.Server.Spec.Encodings) == 1 {
		s.Encoding = source.Encoding(s.Server.Spec.Encodings[0])
	}
	if s.Server.Install.Version == "" && result.Version != "" {
		s.Label = s.Server.Spec.Name + " " + excerpt.Clip(result.Version, 40)
	}
	if err := s.Conn.Notify(ctx, protocol.MethodInitialized, json.RawMessage("{}")); err != nil {
		return err
	}
	// Some servers read their settings only from this notification.
	raw, err = json.Marshal(map[string]any{"settings": s.Settings.configuration()})
	if err != nil {
		return err
	}
	return s.Conn.Notify(ctx, protocol.MethodWorkspaceDidChangeConfiguration, json.RawMessage(raw))
}

func (s *Session) folders() []map[string]string {
	return []map[string]string{{"uri": source.FileURI(s.shownFolder()), "name": filepath.Base(s.Server.Folder)}}
}

// shownFolder is the folder that the server works in: the workspace folder, or the project that stands for it.
func (s *Session) shownFolder() string {
	if s.Project != nil {
		return s.Project.Data.Project
	}
	return s.Server.Folder
}
