package lspclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"
)

// session is one life of a server: a process, its connection, and what both sides have told each other.
type session struct {
	srv      *server
	proc     *process
	conn     *conn
	caps     capabilities
	encoding encoding
	label    string // name and version
	ready    *readiness

	registered registrations // what the server has announced since the handshake
	pushed     pushes        // diagnostics it published
	showMu     sync.Mutex    // held while a document is shown anew for them

	slots chan struct{} // holds one value for each request in flight, of ServerSpec.Concurrency; nil: no bound

	flights flights // requests under way, which callers share

	// silent counts the calls in a row that ran out of time while nothing at all came from the server.
	silentMu sync.Mutex
	silent   int

	docMu      sync.Mutex // also orders what is told about files
	docs       map[string]*document
	told       *snapshot   // the files the server has been told about
	overlayGen int64       // the overlays it has been told about
	at         os.FileInfo // the folder it was started in
	clock      int         // for the least recently used document, and for versions, which so never come twice
	changes    int         // counts what it has been told about files: an answer may depend on any of them

	watchers watchers
}

// startSession starts the program and shakes hands. It takes no longer than ctx allows.
func startSession(ctx context.Context, srv *server) (*session, error) {
	c := srv.client
	in := srv.install
	proc, err := startProcess(in.path, in.args, c.registry.environ(srv.spec, !c.opts.Trust), srv.folder)
	if err != nil {
		return nil, &ServerError{Server: srv.spec.Name, Err: fmt.Errorf("starting %s: %w", in.path, err)}
	}
	s := &session{
		srv: srv, proc: proc, ready: newReadiness(srv.spec),
		label: strings.TrimSpace(srv.spec.Name + " " + in.version),
		docs:  map[string]*document{},
	}
	if n := srv.spec.Concurrency; n > 0 {
		s.slots = make(chan struct{}, n)
	}
	s.conn = newConn(proc.stdout, proc.stdin, s.serve)
	if err := s.handshake(ctx); err != nil {
		err = s.failed("initialize", err)
		s.end()
		return nil, err
	}
	return s, nil
}

func (s *session) handshake(ctx context.Context) error {
	told, err := s.srv.client.scan(ctx)
	if err != nil {
		return err
	}
	s.told = told
	if s.at, err = os.Stat(s.srv.folder); err != nil {
		return err
	}
	uri := uriOf(s.srv.folder)
	params := map[string]any{
		"processId":             os.Getpid(),
		"clientInfo":            map[string]any{"name": "findspot"},
		"rootPath":              s.srv.folder,
		"rootUri":               uri,
		"workspaceFolders":      s.folders(),
		"initializationOptions": s.initOptions(),
		"capabilities":          json.RawMessage(clientCapabilities(s.srv.spec.Encodings)),
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	var result initResult
	if err := s.conn.call(ctx, protocol.MethodInitialize, json.RawMessage(raw), &result); err != nil {
		return err
	}
	s.caps = result.capabilities
	switch e := encoding(s.caps.text("positionEncoding")); e {
	case "":
		s.encoding = utf16Columns
	case utf8Columns, utf16Columns, utf32Columns:
		s.encoding = e
	default:
		return fmt.Errorf("%w: position encoding %q, which was not offered", ErrFormat, e)
	}
	if s.srv.install.version == "" && result.version != "" {
		s.label = s.srv.spec.Name + " " + clip(result.version, 40)
	}
	if err := s.conn.notify(ctx, protocol.MethodInitialized, json.RawMessage("{}")); err != nil {
		return err
	}
	// Some servers read their settings only from this notification.
	raw, err = json.Marshal(map[string]any{"settings": s.settings()})
	if err != nil {
		return err
	}
	return s.conn.notify(ctx, protocol.MethodWorkspaceDidChangeConfiguration, json.RawMessage(raw))
}

// initOptions and settings are those of the entry, with what an untrusted repository adds.
func (s *session) initOptions() map[string]any {
	if s.srv.client.opts.Trust {
		return s.srv.spec.InitOptions
	}
	return overlaid(s.srv.spec.InitOptions, s.srv.spec.UntrustedInit)
}

func (s *session) settings() map[string]any {
	if s.srv.client.opts.Trust {
		return overlaid(s.srv.spec.Settings, nil)
	}
	return overlaid(s.srv.spec.Settings, s.srv.spec.UntrustedSettings)
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

// offeredEncodings are what is offered unless the entry says otherwise.
var offeredEncodings = []encoding{utf8Columns, utf16Columns, utf32Columns}

// clientCapabilities are what this client can do, in the protocol's words.
func clientCapabilities(encodings []string) []byte {
	list, err := json.Marshal(offeredEncodings)
	if len(encodings) > 0 {
		list, err = json.Marshal(encodings)
	}
	if err != nil {
		panic(err) // strings always marshal
	}
	return bytes.Replace([]byte(capabilitiesForm), []byte(`"ENCODINGS"`), list, 1)
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
	return []map[string]string{{"uri": uriOf(s.srv.folder), "name": filepath.Base(s.srv.folder)}}
}

// serve answers the server's requests and takes its notifications.
func (s *session) serve(method string, params json.RawMessage) (any, *rpcError) {
	switch method {
	case protocol.MethodWorkspaceConfiguration:
		var p struct {
			Items []struct {
				Section string `json:"section"`
			} `json:"items"`
		}
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, &rpcError{Code: codeInvalidParams, Message: err.Error()}
		}
		values := make([]any, len(p.Items))
		for i, item := range p.Items {
			values[i] = section(s.settings(), item.Section)
		}
		return values, nil
	case protocol.MethodWorkspaceWorkspaceFolders:
		return s.folders(), nil
	case protocol.MethodClientRegisterCapability:
		s.watchers.register(s.srv.folder, params)
		s.registered.register(params)
		return nil, nil
	case protocol.MethodClientUnregisterCapability:
		s.watchers.register(s.srv.folder, params)
		s.registered.unregister(params)
		return nil, nil
	case protocol.MethodWindowWorkDoneProgressCreate, protocol.MethodWindowShowMessageRequest:
		return nil, nil
	case protocol.MethodWindowShowDocument:
		return map[string]bool{"success": false}, nil
	case protocol.MethodWorkspaceApplyEdit:
		return map[string]any{"applied": false, "failureReason": "this client does not edit"}, nil
	case protocol.MethodProgress:
		s.ready.progress(params)
		return nil, nil
	case protocol.MethodTextDocumentPublishDiagnostics:
		s.ready.diagnostics(params)
		s.pushed.take(params)
		return nil, nil
	case protocol.MethodWindowLogMessage:
		var p struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(params, &p) == nil {
			s.ready.log(p.Message)
		}
		return nil, nil
	}
	if s.ready.notified(method, params) {
		return nil, nil
	}
	if strings.HasPrefix(method, "workspace/") && strings.HasSuffix(method, "/refresh") {
		return nil, nil
	}
	return nil, &rpcError{Code: codeMethodNotFound, Message: "not supported: " + clip(method, 100)}
}

// section looks a dotted name up in nested settings; nil when there is nothing.
func section(settings map[string]any, name string) any {
	if name == "" {
		return settings
	}
	var at any = settings
	for part := range strings.SplitSeq(name, ".") {
		m, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = m[part]
	}
	return at
}

// failed turns the error of a request into a ServerError with the server's last words. It counts silence.
func (s *session) failed(method string, err error) error {
	if isDead(err) {
		s.proc.settle() // the exit status and the last words come a moment after the end of stdout
		if how := s.proc.how(); how != "" {
			err = &deadError{fmt.Errorf("%w (%s)", err, how)}
		}
	}
	return &ServerError{Server: s.label, Method: method, Stderr: s.proc.stderr.String(), Err: err}
}

// request puts one request to the server, for those who share the flight. The cause of ctx says why nobody waits any more.
func (s *session) request(ctx context.Context, f *flight, method string, params json.RawMessage) (json.RawMessage, error) {
	const patience = 50 * time.Millisecond
	var sent any // nil when there are no parameters
	if params != nil {
		sent = params
	}
	if s.slots != nil {
		f.queued.Store(true)
		select {
		case s.slots <- struct{}{}:
			f.queued.Store(false)
			defer func() { <-s.slots }()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	for {
		f.heard.Store(s.conn.heard.Load())
		raw, err := s.conn.roundTrip(ctx, method, sent)
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = context.Cause(ctx)
		}
		var answered *rpcError
		switch {
		case err == nil:
		case errors.As(err, &answered) && (answered.Code == codeContentModified || answered.Code == codeServerCancelled ||
			answered.Code == codeRequestCancelled):
			// The server gave the question up by itself, because its files changed under it: ask again.
			select {
			case <-time.After(patience):
				continue
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		if err == nil || answered != nil {
			s.silentMu.Lock()
			s.silent = 0
			s.silentMu.Unlock()
		}
		return raw, err
	}
}

// stuck reports whether the server has let two calls in a row run out of time without a word.
func (s *session) stuck() bool {
	s.silentMu.Lock()
	defer s.silentMu.Unlock()
	return s.silent >= 2
}

// end kills the process and waits for everything the session started.
func (s *session) end() {
	s.conn.close(errors.New("the session was ended"))
	s.proc.kill()
	s.conn.wait()
	s.flights.close()
}

// shutdown asks the server to end and gives it a moment, then ends it.
func (s *session) shutdown() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s.conn.failure() == nil && !s.stuck() {
		if s.conn.call(ctx, protocol.MethodShutdown, nil, nil) == nil && s.conn.notify(ctx, protocol.MethodExit, nil) == nil {
			select {
			case <-s.proc.exited:
			case <-ctx.Done():
			}
		}
	}
	s.end()
}
