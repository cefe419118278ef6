package lspclient

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
	"go.lsp.dev/protocol"
)

const (
	// maxReopen bounds the files that are shown to a server because they changed; above it a new process is cheaper.
	maxReopen = 100
	// maxEvents bounds the changes told in one message.
	maxEvents = 10_000
	// maxWatchers bounds the patterns that a server may register.
	maxWatchers = 10_000
)

// outdatedError says that a session cannot be told what changed and must be replaced.
type outdatedError struct{ why string }

func (e *outdatedError) Error() string { return "the server had to be started again: " + e.why }

// renew ends a session that is outdated, so that the next question starts another; this is no death. It reports false
// when the server was renewed too often in a row, so that someone who writes faster than it starts does not keep a
// question for ever.
func (v *server) renew(s *session, why *outdatedError) bool {
	const most = 3
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.current != s {
		return true // another question has done it
	}
	if v.renewals++; v.renewals > most {
		v.renewals = 0
		return false
	}
	v.current = nil
	v.client.workers.Go(s.shutdown)
	v.client.opts.Logger.Info("lspclient: server renewed", "server", v.spec.Name, "folder", v.folder, "reason", why.why)
	return true
}

// standing returns an outdatedError when the folder the server was started in is another one now, such as after it was
// moved away and back: its working directory then is the old one.
func (s *documents) standing() error {
	info, err := os.Stat(s.srv.folder)
	if err != nil {
		return fmt.Errorf("workspace folder %s: %w", s.srv.client.tree.Relative(s.srv.folder), ErrNotFound)
	}
	if s.at != nil && !os.SameFile(info, s.at) {
		return &outdatedError{"its folder was replaced"}
	}
	return nil
}

// tell makes the server see what changed on disk, in the way its entry says; moved: files came or went. Of folders that
// came or went a server hears that has registered a pattern for them: ty looks for a package in a new folder only when it
// was told of the folder. The locks are held as for announce.
func (s *documents) tell(ctx context.Context, events, folders []protocol.FileEvent, moved bool) error {
	if len(events) == 0 {
		return nil
	}
	spec := s.srv.spec
	// It looks at the disk by itself, and late.
	late := spec.Unwatched.Command != "" && !s.watchers.any()
	look := late && moved
	var shown []string
	for _, e := range events {
		path, _ := source.PathOf(string(e.URI))
		rel := s.srv.client.tree.Relative(path)
		if spec.LanguageOf(path) == "" {
			if spec.Concerns(filepath.Base(path)) && (spec.MarkerFreshness == registry.FreshRestart ||
				spec.MarkerFreshness == registry.FreshCame && e.Type != protocol.FileChangeTypeChanged && filepath.Dir(path) == s.srv.folder) {
				return &outdatedError{rel + " changed"}
			}
			look = look || late && spec.Concerns(filepath.Base(path))
			continue
		}
		if why := s.project.Outdated(path); why != "" {
			return &outdatedError{why}
		}
		switch {
		case spec.Freshness == registry.FreshRestart, spec.Freshness == registry.FreshReopen && e.Type == protocol.FileChangeTypeDeleted:
			return &outdatedError{rel + " changed"}
		case s.docs[path] != nil:
		case spec.Freshness == registry.FreshReopen, late && e.Type != protocol.FileChangeTypeDeleted,
			spec.Freshness == registry.FreshAsk && e.Type == protocol.FileChangeTypeCreated:
			shown = append(shown, path)
		}
	}
	if len(shown) > maxReopen {
		return &outdatedError{fmt.Sprintf("%d files changed", len(shown))}
	}
	wanted := s.watchers.wanted(events)
	s.toldOf(wanted, moved)
	switch {
	case s.project != nil && len(wanted) > 0:
		for _, e := range folders {
			if path, _ := source.PathOf(string(e.URI)); e.Type == protocol.FileChangeTypeCreated { // it does not take them for packages
				return &outdatedError{s.srv.client.tree.Relative(path) + " is a new folder"}
			}
		}
		mark, err := s.mark()
		if err != nil {
			return err
		}
		wanted = append(wanted, mark...)
	case s.watchers.any():
		wanted = append(s.watchers.wanted(folders), wanted...)
	}
	for list := range slices.Chunk(wanted, maxEvents) {
		err := s.announce(ctx, protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: list})
		if err != nil {
			return err
		}
	}
	for _, path := range shown {
		text, info, err := source.ReadFile(path)
		if err != nil {
			continue // gone again, or nothing to show
		}
		d := &document{path: path, content: text, info: info}
		if err := s.present(ctx, d); err != nil {
			return err
		}
		if spec.Freshness == registry.FreshAsk {
			if err := s.nudge(ctx, path); err != nil {
				return err
			}
		}
		if err := s.release(ctx, d); err != nil {
			return err
		}
	}
	if look {
		return s.aside(ctx, protocol.MethodWorkspaceExecuteCommand, &struct {
			Command   string `json:"command"`
			Arguments []any  `json:"arguments,omitempty"`
		}{spec.Unwatched.Command, spec.Unwatched.Arguments})
	}
	return nil
}

// holdOpen shows the server files that changed without a later time of change, and leaves them open: servers that go by
// that time (ty, jedi) believe that they know them, told or not, until they are asked about them. The locks are held as
// for announce.
func (s *documents) holdOpen(ctx context.Context, timeless []string) error {
	if len(timeless) > maxOpen/2 {
		return &outdatedError{fmt.Sprintf("%d files changed without a later time of change", len(timeless))}
	}
	for _, path := range timeless {
		if s.docs[path] == nil {
			text, info, err := source.ReadFile(path)
			if err != nil || guardOf(s.session).refusesDocument(path, text) != nil {
				continue // gone again, or nothing to show
			}
			if err := s.present(ctx, &document{path: path, content: text, info: info, readAt: time.Now()}); err != nil {
				return err
			}
		}
		if err := s.nudge(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// nudge asks the server about the beginning of a file, so that it loads what the file is part of. The locks are held as
// for announce.
func (s *documents) nudge(ctx context.Context, path string) error {
	if !s.offers(protocol.MethodTextDocumentHover) {
		return nil
	}
	return s.aside(ctx, protocol.MethodTextDocumentHover, &protocol.HoverParams{
		TextDocumentPositionParams: protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: source.DocumentURI(path)}},
	})
}

// aside puts a request to the server whose answer does not matter, nor that it may be an error. The locks are held as for
// announce.
func (s *documents) aside(ctx context.Context, method string, params any) error {
	s.docMu.Unlock()
	defer s.docMu.Lock()
	err := s.conn.Call(ctx, method, params, nil)
	if ctx.Err() != nil || jsonrpc.IsEnded(err) {
		return err
	}
	return nil
}

// watchers are the patterns of files that a server has registered to be told about. They are safe for concurrent use.
type watchers struct {
	mu   sync.Mutex
	byID map[string][]watcher // by registration; nil: the server never registered any, and is told everything
}

// watcher is one pattern.
type watcher struct {
	re   *regexp.Regexp // of absolute paths with forward slashes; nil: a pattern that is not understood, which matches all
	kind int            // 1 created, 2 changed, 4 deleted, added up
}

// register takes client/registerCapability and client/unregisterCapability. What it does not understand it leaves out:
// the server is then told more than it wants.
func (w *watchers) register(folder string, params json.RawMessage) {
	type registration struct {
		ID, Method      string
		RegisterOptions struct {
			Watchers []struct {
				GlobPattern json.RawMessage
				Kind        *int
			}
		}
	}
	var p struct {
		Registrations []registration
		// The protocol spells it this way.
		Unregisterations []registration
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range p.Unregisterations {
		delete(w.byID, r.ID)
	}
	total := 0
	for _, list := range w.byID {
		total += len(list)
	}
	for _, r := range p.Registrations {
		if r.Method != protocol.MethodWorkspaceDidChangeWatchedFiles {
			continue
		}
		var list []watcher
		for _, g := range r.RegisterOptions.Watchers {
			if total++; total > maxWatchers {
				list = append(list[:0], watcher{kind: 7})
				break
			}
			one := watcher{kind: 7}
			if g.Kind != nil {
				one.kind = *g.Kind
			}
			one.re = globPattern(folder, g.GlobPattern)
			list = append(list, one)
		}
		if w.byID == nil {
			w.byID = map[string][]watcher{}
		}
		w.byID[r.ID] = list
	}
}

// any reports whether the server has registered any pattern.
func (w *watchers) any() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.byID) > 0
}

// wanted returns the events that the server has registered for, all when it has registered for none.
func (w *watchers) wanted(events []protocol.FileEvent) []protocol.FileEvent {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.byID) == 0 {
		return events
	}
	var out []protocol.FileEvent
	for _, e := range events {
		path, _ := source.PathOf(string(e.URI))
		path = filepath.ToSlash(path)
		bit := 1 << (int(e.Type) - 1)
	search:
		for _, list := range w.byID {
			for _, one := range list {
				if one.kind&bit != 0 && (one.re == nil || one.re.MatchString(path)) {
					out = append(out, e)
					break search
				}
			}
		}
	}
	return out
}

// globPattern compiles a glob of the protocol: a string, or an object with a base and a pattern relative to it. A string
// that does not begin with a slash means paths relative to the workspace folder. Case does not count. Nil: not
// understood.
func globPattern(folder string, raw json.RawMessage) *regexp.Regexp {
	var glob string
	if json.Unmarshal(raw, &glob) == nil {
		if !strings.HasPrefix(glob, "/") && !filepath.IsAbs(glob) {
			return compileGlob(folder, glob)
		}
		return compileGlob("", glob)
	}
	var rel struct {
		BaseURI json.RawMessage `json:"baseUri"`
		Pattern string          `json:"pattern"`
	}
	if json.Unmarshal(raw, &rel) != nil {
		return nil
	}
	var base string
	if json.Unmarshal(rel.BaseURI, &base) != nil {
		var f struct{ URI string }
		if json.Unmarshal(rel.BaseURI, &f) != nil {
			return nil
		}
		base = f.URI
	}
	dir, ok := source.PathOf(base)
	if !ok {
		return nil
	}
	return compileGlob(dir, rel.Pattern)
}

// compileGlob turns "*", "?", "**", "{a,b}" and "[a-z]" into a regular expression; nil when the glob is broken.
func compileGlob(base, glob string) *regexp.Regexp {
	const maxGlob = 4096
	if len(glob) > maxGlob {
		return nil
	}
	var b strings.Builder
	b.WriteString("(?is)^")
	if base != "" {
		b.WriteString(regexp.QuoteMeta(strings.TrimSuffix(filepath.ToSlash(base), "/")) + "/")
		glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
	}
	depth := 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.HasPrefix(glob[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '{':
			b.WriteString("(?:")
			depth++
		case c == '}' && depth > 0:
			b.WriteString(")")
			depth--
		case c == ',' && depth > 0:
			b.WriteString("|")
		case c == '[':
			end := strings.IndexByte(glob[i:], ']')
			if end < 2 {
				return nil
			}
			set := glob[i+1 : i+end]
			if set[0] == '!' {
				set = "^" + set[1:]
			}
			b.WriteString("[" + strings.ReplaceAll(set, `\`, `\\`) + "]")
			i += end
		default:
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		}
	}
	if depth != 0 {
		return nil
	}
	b.WriteString("$")
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil
	}
	return re
}
