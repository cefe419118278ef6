package hostile

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill/evidence"
)

// libraryAttacks call methods of a workspace with the same files.
func libraryAttacks(*testing.T) []Attack {
	var out []Attack
	each := func(door, name, must string, try func(ctx context.Context, ws *findspot.Workspace, p string) (string, error)) {
		out = append(out, Attack{door, name, must, func(t *testing.T) {
			_, ws, _ := offered(t)
			for _, p := range paths {
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				text, err := try(ctx, ws, p.path)
				if ctx.Err() != nil {
					t.Errorf("%q, %s: hangs", p.path, p.why)
				}
				cancel()
				if err == nil || leaks(text) != "" {
					t.Errorf("%q, %s: %q, %v", p.path, p.why, text, err)
				}
			}
		}})
	}
	each("library", "ReadLines of files that may not be read", "an error", func(ctx context.Context, ws *findspot.Workspace, p string) (string, error) {
		it, err := ws.ReadLines(ctx, p, 1, 10)
		return it.Text, err
	})
	each("library", "Text of a place in files that may not be read", "an error", func(ctx context.Context, ws *findspot.Workspace, p string) (string, error) {
		return ws.Text(ctx, evidence.Place{Path: p, Line: 1, EndLine: 5})
	})
	each("library", "the hash of files that may not be read", "an error", func(ctx context.Context, ws *findspot.Workspace, p string) (string, error) {
		hash, _, err := ws.Describe(ctx, evidence.Place{Path: p})
		return hash, err
	})
	each("library", "Retrieve of files that may not be read", "an error", func(ctx context.Context, ws *findspot.Workspace, p string) (string, error) {
		got, err := ws.Retrieve(ctx, []string{p}, nil)
		if err != nil {
			return "", err
		}
		return got[0].Text, nil
	})
	out = append(out, Attack{"library", "places straight from folders", "links are not followed out", func(t *testing.T) {
		w, _, _ := offered(t)
		f, err := findspot.OpenFolders(nil, []string{w.repo}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, p := range paths {
			text, _ := f.Text(t.Context(), evidence.Place{Path: p.path, Line: 1, EndLine: 5})
			if strings.Contains(text, outsideMark) || strings.Contains(text, "root:x") {
				t.Errorf("%q: %q", p.path, text)
			}
		}
	}})
	out = append(out, Attack{"repositories", "a graph over links, pipes and devices", "it is built, and holds nothing from outside", func(t *testing.T) {
		w, ws, _ := offered(t)
		graphs, err := ws.Graphs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		hits, err := graphs[0].Search(t.Context(), "stolen", nil)
		if err != nil || len(hits.Hits) > 0 {
			t.Errorf("%s: %+v, %v", w.repo, hits, err)
		}
		g, err := codegraph.Build(t.Context(), os.DirFS(w.repo), findspot.Languages(), nil)
		if err != nil || len(g.Named("good")) == 0 || len(g.Named("stolen")) > 0 {
			t.Errorf("Build: %v, %v, %v", g.Named("good"), g.Named("stolen"), err)
		}
	}})
	out = append(out, Attack{"repositories", "the root becomes a link", "refused", func(t *testing.T) {
		w := newWorld(t)
		ws := w.workspace(t)
		if err := os.Rename(w.repo, w.repo+"-moved"); err != nil {
			t.Fatal(err)
		}
		w.link(t, "outside", "repo")
		if it, err := ws.ReadLines(t.Context(), "secret.txt", 1, 1); err == nil {
			t.Errorf("ReadLines = %q", it.Text)
		}
	}})
	out = append(out, Attack{"repositories", "an ignore file that is a named pipe or a link", "nothing hangs, and nothing leaks", func(t *testing.T) {
		w := newWorld(t)
		w.file(t, "repo/sub/a.py", "def sub(): pass\n")
		if err := os.Remove(filepath.Join(w.repo, ".gitignore")); err != nil {
			t.Fatal(err)
		}
		w.link(t, "pipe.txt", "repo/.gitignore")
		w.link(t, "/proc/self/environ", "repo/sub/.gitignore")
		w.workspace(t)
	}})
	out = append(out, Attack{"language servers", "overlays of files outside", "refused", func(t *testing.T) {
		w := newWorld(t)
		lc, err := lspclient.Open(t.Context(), w.repo, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer lc.Close()
		for _, p := range []string{"linked.py", "away/new.py", "../outside/secret.py", filepath.Join(w.outside, "secret.py"), "loop.txt"} {
			if err := lc.SetOverlay(p, []byte("x = 1\n")); err == nil {
				t.Errorf("SetOverlay(%s) is taken", p)
			}
		}
	}})
	out = append(out, Attack{"language servers", "questions at places outside, in pipes and devices", "refused, and at once", func(t *testing.T) {
		w := newWorld(t)
		lc, err := lspclient.Open(t.Context(), w.repo, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer lc.Close()
		for _, p := range paths {
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			if _, err := lc.Definition(ctx, lspclient.At(p.path, 1, 1), nil); err == nil || ctx.Err() != nil {
				t.Errorf("Definition at %q: %v", p.path, err)
			}
			cancel()
		}
	}})
	return out
}
