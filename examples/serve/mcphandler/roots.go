package mcphandler

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/visible"
)

const (
	maxRoots   = 20               // of a client
	rootsTime  = 30 * time.Second // for a client to say its roots
	answerTime = 10 * time.Minute // for a person to answer
)

// rootsState is what became of a client's roots.
type rootsState struct {
	mu    sync.Mutex // one question at a time; guards what follows
	asked map[string]bool
}

// askRoots asks the client for its folders, and its person whether they are to be indexed. It does so apart from the message that led to it.
func (s *session) askRoots(ss *mcp.ServerSession) {
	p := ss.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.RootsV2 == nil || p.ProtocolVersion >= withoutState {
		return
	}
	h := s.h
	h.work.Go(func() {
		defer h.calls.recovered("roots", func(error) {})
		if err := s.addRoots(ss); err != nil && s.ctx.Err() == nil {
			h.opt.Logger.Warn("the client's roots are not indexed", "reason", err)
		}
	})
}

func (s *session) addRoots(ss *mcp.ServerSession) error {
	h, ctx := s.h, s.ctx
	s.roots.mu.Lock()
	defer s.roots.mu.Unlock()
	if res, err := h.calls.wait(ctx); res != nil || err != nil { // what is indexed already is known then
		return err
	}
	late, cancel := context.WithTimeout(ctx, rootsTime)
	defer cancel()
	list, err := ss.ListRoots(late, nil)
	if err != nil {
		return fmt.Errorf("roots/list: %w", err)
	}
	folders, err := s.newFolders(list.Roots)
	if err != nil || len(folders) == 0 {
		return err
	}
	caps := ss.InitializeParams().Capabilities
	if caps.Elicitation == nil {
		h.opt.Logger.Info("the client's roots are not indexed: it cannot ask its user (elicitation); give --repo", "roots", folders)
		return nil
	}
	if s.roots.asked == nil {
		s.roots.asked = map[string]bool{}
	}
	for _, f := range folders {
		s.roots.asked[f] = true
	}
	person, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	res, err := ss.Elicit(person, &mcp.ElicitParams{
		Message: "Index these folders, so that questions about their code can be answered? The index stays on this machine.\n\n" + visible.Text(strings.Join(folders, "\n")),
		RequestedSchema: map[string]any{"type": "object", "required": []string{"index"}, "properties": map[string]any{
			"index": map[string]any{"type": "boolean", "title": "Index them", "description": "yes indexes the folders as repositories"},
		}},
	})
	if err != nil {
		return fmt.Errorf("elicitation/create: %w", err)
	}
	if yes, _ := res.Content["index"].(bool); res.Action != "accept" || !yes {
		h.opt.Logger.Info("the client's roots are not indexed: its user declined", "roots", folders)
		return nil
	}
	for _, f := range folders {
		if _, e := h.ws.AddRepo(ctx, f, nil); e != nil {
			err = errors.Join(err, e)
			continue
		}
		h.opt.Logger.Info("a root of the client is indexed", "root", f)
	}
	return err
}

// newFolders are the folders that roots name, which may be indexed, are not, and were not asked for before.
func (s *session) newFolders(roots []*mcp.Root) ([]string, error) {
	h := s.h
	repos, err := h.ws.Repos()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range roots[:min(len(roots), maxRoots)] {
		f, err := folderOf(r.URI)
		if err == nil && s.http && !h.opt.AnyRoot && !slices.ContainsFunc(h.opt.Tools.IndexRoots, func(in string) bool {
			base, err := rootfs.Real(in)
			return err == nil && rootfs.Below(base, f)
		}) {
			err = errors.New("it lies below no folder that this server may index")
		}
		if err != nil {
			h.opt.Logger.Info("a root of the client is left out", "root", r.URI, "reason", err)
			continue
		}
		known := slices.Contains(out, f) || s.roots.asked[f]
		for _, repo := range repos {
			known = known || rootfs.Below(repo.Root, f)
		}
		if !known {
			out = append(out, f)
		}
	}
	return out, nil
}

// folderOf is the folder that a root names: one of this machine, which is neither the root of a file system nor somebody's home.
func folderOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", errors.New("it is no file:// address of this machine")
	}
	name := u.Path
	if runtime.GOOS == "windows" {
		name = strings.TrimPrefix(name, "/")
	}
	name = filepath.FromSlash(name)
	if !filepath.IsAbs(name) {
		return "", errors.New("it is no absolute path")
	}
	real, err := rootfs.Real(name)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", errors.New("it is no folder")
	}
	home, err := os.UserHomeDir()
	if err == nil {
		if home, err = rootfs.Real(home); err == nil && rootfs.Below(real, home) {
			return "", errors.New("it holds the user's home: name a project in it")
		}
	}
	if filepath.Dir(real) == real {
		return "", errors.New("it is the root of a file system")
	}
	return real, nil
}
