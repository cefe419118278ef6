package lspclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
		"initializationOptions": s.initOptions(),
		"capabilities":          json.RawMessage(clientCapabilities(s.srv.spec.Encodings)),
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	var result wire.InitializeResult
	answer, err := s.conn.RoundTrip(ctx, protocol.MethodInitialize, json.RawMessage(raw))
	if err == nil && string(answer) == "null" {
		err = fmt.Errorf("%w: an answer without capabilities", ErrFormat)
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
		return fmt.Errorf("%w: position encoding %q, which was not offered", ErrFormat, excerpt.Clip(e, 100))
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
	raw, err = json.Marshal(map[string]any{"settings": s.settings()})
	if err != nil {
		return err
	}
	return s.conn.Notify(ctx, protocol.MethodWorkspaceDidChangeConfiguration, json.RawMessage(raw))
}

// initOptions and settings are those of the entry, with what an untrusted repository adds.
func (s *session) initOptions() map[string]any {
	init := overlaid(s.srv.spec.InitOptions, nil)
	if !s.srv.client.opts.Trust {
		init = overlaid(init, s.srv.spec.UntrustedInit)
	}
	return s.filled(init)
}

func (s *session) settings() map[string]any {
	if s.srv.client.opts.Trust {
		return s.withPrograms(s.filled(overlaid(s.srv.spec.Settings, nil)))
	}
	return s.withPrograms(s.filled(overlaid(s.srv.spec.Settings, s.srv.spec.UntrustedSettings)))
}

// filled returns the options with the placeholders in their texts replaced.
func (s *session) filled(options map[string]any) map[string]any {
	in := s.srv.install
	if in == nil { // a session without a program, as tests make it
		return options
	}
	values := []string{"{module}", in.Module}
	if run := in.Runtime; run != nil {
		values = append(values, "{runtime}", run.Home, "{runtime_version}", run.Version)
	}
	return replaceStrings(options, strings.NewReplacer(values...).Replace).(map[string]any)
}

// shownFolder is the folder that the server works in: the workspace folder, or the project that stands for it.
func (s *session) shownFolder() string {
	if s.project != nil {
		return s.project.Data.Project
	}
	return s.srv.folder
}

// overlaid returns base with the values of over, objects merged. Neither is changed; the result is not nil.
func overlaid(base, over map[string]any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, base)
	for k, v := range over {
		if m, ok := v.(map[string]any); ok {
			if have, ok := out[k].(map[string]any); ok {
				v = overlaid(have, m)
			}
		}
		out[k] = v
	}
	return out
}

// clientCapabilities are what this client can do, in the protocol's words. The encodings are those of an entry, which has
// been checked.
func clientCapabilities(encodings []string) []byte {
	if len(encodings) == 0 {
		for _, e := range source.Encodings() {
			encodings = append(encodings, string(e))
		}
	}
	return []byte(strings.Replace(capabilitiesForm, `"ENCODINGS"`, `["`+strings.Join(encodings, `","`)+`"]`, 1))
}

const capabilitiesForm = `{
	"general": {"positionEncodings": "ENCODINGS",
		"staleRequestSupport": {"cancel": false, "retryOnContentModified": []}},
	"window": {"workDoneProgress": true, "showMessage": {}, "showDocument": {"support": false}},
	"workspace": {"applyEdit": false, "configuration": true, "workspaceFolders": true,
		"didChangeConfiguration": {"dynamicRegistration": true},
		"didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true},
		"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"],
			"failureHandling": "abort", "normalizesLineEndings": false, "changeAnnotationSupport": {"groupsOnLabel": true}},
		"diagnostics": {"refreshSupport": false},
		"symbol": {"dynamicRegistration": false}},
	"experimental": {"serverStatusNotification": true},
	"textDocument": {
		"synchronization": {"dynamicRegistration": false, "didSave": false},
		"definition": {"dynamicRegistration": false, "linkSupport": true},
		"references": {"dynamicRegistration": false},
		"documentSymbol": {"dynamicRegistration": false, "hierarchicalDocumentSymbolSupport": true},
		"typeDefinition": {"dynamicRegistration": false, "linkSupport": true},
		"implementation": {"dynamicRegistration": false, "linkSupport": true},
		"hover": {"dynamicRegistration": false, "contentFormat": ["markdown", "plaintext"]},
		"callHierarchy": {"dynamicRegistration": false},
		"rename": {"dynamicRegistration": false, "prepareSupport": true, "prepareSupportDefaultBehavior": 1,
			"honorsChangeAnnotations": true},
		"diagnostic": {"dynamicRegistration": true, "relatedDocumentSupport": false},
		"publishDiagnostics": {"versionSupport": true, "relatedInformation": true, "tagSupport": {"valueSet": [1, 2]}}}
}`

func (s *session) folders() []map[string]string {
	return []map[string]string{{"uri": source.FileURI(s.shownFolder()), "name": filepath.Base(s.srv.folder)}}
}

// programMark stands before the name of a program in a string of the settings.
const programMark = "$PATH:"

// withPrograms puts absolute paths in place of the programs that settings name. The settings are not changed.
func (s *session) withPrograms(settings map[string]any) map[string]any {
	return replaceStrings(settings, func(text string) string {
		name, ok := strings.CutPrefix(text, programMark)
		if !ok {
			return text
		}
		if path, err := s.srv.client.registry.LookPath(name); err == nil {
			return path
		}
		// A path that is outside the root for certain; a bare name might be looked for in the repository.
		return filepath.Join(filepath.Dir(s.srv.install.Path), filepath.Base(name))
	}).(map[string]any)
}

// replaceStrings returns a copy of a value of settings with each string replaced.
func replaceStrings(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = replaceStrings(e, f)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = replaceStrings(e, f)
		}
		return out
	}
	return v
}
