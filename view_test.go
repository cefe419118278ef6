package findspot_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/fakels"
)

// view makes a view that the test closes.
func view(t *testing.T, ws *findspot.Workspace, o *findspot.Options) *findspot.Workspace {
	t.Helper()
	if o == nil {
		o = &findspot.Options{NoServers: true}
	}
	v, err := ws.View(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	return v
}

// answer is what a workspace answers to the question, as text.
func answerText(t *testing.T, ws *findspot.Workspace, q string) string {
	t.Helper()
	ans, err := ws.Ask(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := ans.WriteText(&b, "", ""); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestViewAnswersAsTheWorkspaceDoes(t *testing.T) {
	ws := filled(t, nil)
	want := answerText(t, ws, question)
	v := view(t, ws, nil)
	if got := answerText(t, v, question); got != want {
		t.Errorf("view:\n%s\nworkspace:\n%s", got, want)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if _, err := v.SearchDocs(t.Context(), "signal", nil); !errors.Is(err, findspot.ErrClosed) {
		t.Errorf("a closed view answers %v", err)
	}
	if got := answerText(t, ws, question); got != want {
		t.Errorf("after a view was closed:\n%s\nbefore:\n%s", got, want)
	}
}

func TestViewsShareWhatTheyAdd(t *testing.T) {
	ws := filled(t, nil)
	docs := write(t, map[string]string{"tides.md": "# Tides\n\nThe neap tide comes after the quarter moon.\n"})
	code := write(t, map[string]string{"tide.py": "def neap():\n    return 7\n"})
	adding, other := view(t, ws, nil), view(t, ws, nil)
	if _, err := other.SearchCode(t.Context(), "detect_pss", nil); err != nil { // it knows its repositories before
		t.Fatal(err)
	}
	if err := addDocs(t.Context(), adding, docs); err != nil {
		t.Fatal(err)
	}
	if _, err := adding.AddRepo(t.Context(), code, &findspot.RepoOptions{Name: "moon"}); err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]*findspot.Workspace{"the workspace": ws, "the view": adding, "another view": other, "a later view": view(t, ws, nil)} {
		res, err := w.SearchDocs(t.Context(), "neap tide", nil)
		if err != nil || len(res.Hits) != 1 {
			t.Errorf("%s finds %v, %v", name, res, err)
		}
		found, _, err := w.Named(t.Context(), "neap")
		if err != nil || len(found) != 1 || found[0].ID != "moon//tide.py:neap" {
			t.Errorf("%s knows %v, %v", name, found, err)
		}
	}
}

func TestViewIsLimited(t *testing.T) {
	docs := write(t, map[string]string{"tides.md": "# Tides\n\nThe neap tide comes after the quarter moon.\n"})
	secret := "API_KEY = 'sk-ant-api03-" + strings.Repeat("a1B2c3", 15) + "AA'\n"
	code := write(t, map[string]string{"tide.py": secret + "def neap():\n    return 7\n", ".env": "TOKEN=x\n"})
	ws := filled(t, nil)
	v := view(t, ws, &findspot.Options{NoServers: true, OnlyDocs: []string{docs}, OnlyRepos: []string{code}, ShowSecrets: true})
	if err := addDocs(t.Context(), v, docs); err != nil {
		t.Fatal(err)
	}
	if _, err := v.AddRepo(t.Context(), code, nil); err != nil {
		t.Fatal(err)
	}
	list, err := v.Repos()
	if err != nil || len(list) != 1 || list[0].Name != "" {
		t.Errorf("the view has the repositories %v, %v", list, err)
	}
	if list, err := ws.Repos(); err != nil || len(list) != 2 {
		t.Errorf("the workspace has the repositories %v, %v", list, err)
	}
	if res, err := v.SearchDocs(t.Context(), "synchronization", nil); err != nil || len(res.Hits) != 0 {
		t.Errorf("the view finds %v, %v", res, err)
	}
	if res, err := v.SearchDocs(t.Context(), "neap", nil); err != nil || len(res.Hits) != 1 {
		t.Errorf("the view finds %v, %v", res, err)
	}
	shown, err := v.ReadLines(t.Context(), "tide.py", 1, 1)
	if err != nil || shown.Text != secret {
		t.Errorf("a view that shows secrets reads %q, %v", shown.Text, err)
	}
	masked, err := ws.ReadLines(t.Context(), filepath.Base(code)+"//tide.py", 1, 1)
	if err != nil || masked.Text == secret {
		t.Errorf("the workspace reads %q, %v", masked.Text, err)
	}
}

func TestViewOfALimitedWorkspace(t *testing.T) {
	docs := write(t, map[string]string{"tides.md": "# Tides\n\nThe neap tide comes after the quarter moon.\n"})
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true, OnlyDocs: []string{docs}})
	if err := addDocs(t.Context(), ws, docs); err != nil {
		t.Fatal(err)
	}
	more := view(t, ws, nil)
	if err := addDocs(t.Context(), more, papers); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ws    *findspot.Workspace
		query string
		some  bool
	}{{more, "neap", true}, {more, "synchronization", true}, {ws, "neap", true}, {ws, "synchronization", false}} {
		if res, err := c.ws.SearchDocs(t.Context(), c.query, nil); err != nil || len(res.Hits) > 0 != c.some {
			t.Errorf("%s: the limited one is %v, found %v, %v", c.query, c.ws == ws, res, err)
		}
	}
}

func TestViewProgressIsItsOwn(t *testing.T) {
	docs := write(t, map[string]string{"tides.md": "# Tides\n\nNeap.\n"})
	code := write(t, map[string]string{"tide.py": "def neap():\n    return 7\n"})
	ws := filled(t, nil)
	var mine, others []findspot.Progress
	v := view(t, ws, &findspot.Options{NoServers: true, Progress: func(p findspot.Progress) { mine = append(mine, p) }})
	_ = view(t, ws, &findspot.Options{NoServers: true, Progress: func(p findspot.Progress) { others = append(others, p) }})
	if err := addDocs(t.Context(), v, docs); err != nil {
		t.Fatal(err)
	}
	if _, err := v.AddRepo(t.Context(), code, nil); err != nil {
		t.Fatal(err)
	}
	rooms := map[string]bool{}
	for _, p := range mine {
		rooms[p.Room] = true
	}
	if !rooms["docs"] || !rooms["code"] {
		t.Errorf("progress of the view: %v", mine)
	}
	if len(others) > 0 {
		t.Errorf("progress of another view: %v", others)
	}
}

func TestViewEndsWithItsWorkspace(t *testing.T) {
	ws := filled(t, nil)
	v := view(t, ws, nil)
	if _, err := v.SearchCode(t.Context(), "detect", nil); err != nil {
		t.Fatal(err)
	}
	if err := ws.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := v.SearchDocs(t.Context(), "signal", nil); !errors.Is(err, findspot.ErrClosed) {
		t.Errorf("documents answer %v", err)
	}
	if _, err := v.SearchCode(t.Context(), "detect", nil); !errors.Is(err, findspot.ErrClosed) {
		t.Errorf("code answers %v", err)
	}
	if _, err := ws.View(nil); !errors.Is(err, findspot.ErrClosed) {
		t.Errorf("a view of a closed workspace: %v", err)
	}
}

// Views that add, change and ask at once leave a whole library.
func TestViewsAtOnce(t *testing.T) {
	ws := filled(t, nil)
	dir := t.TempDir()
	ctx := t.Context()
	var g sync.WaitGroup
	for n := range 8 {
		g.Go(func() {
			own := filepath.Join(dir, fmt.Sprint(n))
			if err := os.MkdirAll(own, 0o777); err != nil {
				t.Error(err)
				return
			}
			o := &findspot.Options{NoServers: true}
			if n%2 == 0 {
				o.OnlyDocs = []string{own}
			}
			for round := range 3 {
				if err := os.WriteFile(filepath.Join(own, fmt.Sprintf("tide%d.md", n)), fmt.Appendf(nil, "# Tide %d\n\nNeap number%d of round%d.\n", n, n, round), 0o666); err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(filepath.Join(own, "README.md"), fmt.Appendf(nil, "# Moon %d\n\nSpring tide.\n", n), 0o666); err != nil { // a name for all
					t.Error(err)
					return
				}
				if err := once(ctx, ws, o, own, n, round); err != nil {
					t.Errorf("%d, round %d: %v", n, round, err)
				}
			}
		})
	}
	g.Wait()
	lib, err := ws.Docs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"neap", "spring"} {
		res, err := lib.Search(ctx, q, &docsearch.SearchOptions{Limit: 20})
		if err != nil || len(res.Hits) != 8 {
			t.Errorf("%s: %d documents, %v", q, len(res.Hits), err)
		}
	}
	if rep, err := lib.Check(ctx); err != nil || len(rep.Problems) > 0 {
		t.Errorf("check: %v, %v", rep, err)
	}
}

// once adds a folder through a view and asks it.
func once(ctx context.Context, ws *findspot.Workspace, o *findspot.Options, dir string, n, round int) error {
	v, err := ws.View(o)
	if err != nil {
		return err
	}
	if err := addDocs(ctx, v, dir); err != nil {
		return err
	}
	res, err := v.SearchDocs(ctx, fmt.Sprintf("number%d round%d", n, round), nil)
	if err == nil && len(res.Hits) == 0 {
		err = errors.New("what was added is not found")
	}
	if err == nil {
		_, err = v.SearchCode(ctx, "detect_pss", nil)
	}
	return errors.Join(err, v.Close())
}

// A repository that a view adds is watched, and views that watch too share the watch.
func TestViewsWatch(t *testing.T) {
	first, second := write(t, map[string]string{"a.py": "def a():\n    pass\n"}), write(t, map[string]string{"b.py": "def b():\n    pass\n"})
	ws := open(t, t.TempDir(), nil)
	if _, err := ws.AddRepo(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	watch := func(ws *findspot.Workspace) (chan string, chan error) {
		told, ended := make(chan string, 100), make(chan error, 1)
		go func() { ended <- ws.Watch(ctx, func(u *findspot.RepoInfo) { told <- filepath.Base(u.Root) }) }()
		return told, ended
	}
	until := func(told chan string, want string) {
		t.Helper()
		for {
			select {
			case got := <-told:
				if got == filepath.Base(want) {
					return
				}
			case <-ctx.Done():
				t.Fatalf("nothing was told of %s", want)
			}
		}
	}
	base, baseEnded := watch(ws)
	until(base, first)
	v := view(t, ws, nil)
	mine, mineEnded := watch(v)
	until(mine, first)
	if _, err := view(t, ws, nil).AddRepo(t.Context(), second, nil); err != nil {
		t.Fatal(err)
	}
	until(base, second)
	until(mine, second)
	if err := os.WriteFile(filepath.Join(second, "c.py"), []byte("def c():\n    pass\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	until(base, second)
	until(mine, second)
	cancel()
	for _, ended := range []chan error{baseEnded, mineEnded} {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Watch = %v", err)
		}
	}
}

func BenchmarkView(b *testing.B) {
	ws, err := findspot.Open(b.Context(), b.TempDir(), &findspot.Options{NoServers: true})
	if err != nil {
		b.Fatal(err)
	}
	defer ws.Close()
	for b.Loop() {
		v, err := ws.View(&findspot.Options{NoServers: true})
		if err == nil {
			err = v.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// What a view gives to language servers unsaved, and names and repositories of a closed workspace, stay with it.
func TestViewTextsAreItsOwn(t *testing.T) {
	specs, pids := fakels.Entries(t, fakels.Server{Name: "fake", Language: "python", Ext: ".py"})
	t.Cleanup(func() { fakels.WaitGone(t, pids) })
	file := filepath.Join(t.TempDir(), "servers.yaml")
	if err := os.WriteFile(file, []byte(specs), 0o666); err != nil {
		t.Fatal(err)
	}
	o := &findspot.Options{Servers: findspot.ServerOptions{File: file}}
	code := write(t, map[string]string{"a.py": "def a():\n    pass\n"})
	ws := open(t, t.TempDir(), o)
	if _, err := ws.AddRepo(t.Context(), code, nil); err != nil {
		t.Fatal(err)
	}
	v, other := view(t, ws, o), view(t, ws, o)
	if err := v.SetOverlay(t.Context(), "a.py", []byte("def b():\n    pass\n")); err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]*findspot.Workspace{"a view that has its own text": v, "another view": other, "the workspace": ws} {
		res, err := w.Symbols(t.Context(), "a.py")
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]string{true: "b", false: "a"}[w == v]
		if len(res.Symbols) != 1 || res.Symbols[0].Name != want {
			t.Errorf("%s has the symbols %v", name, res.Symbols)
		}
	}
}

// A view that may read beside another process does not make the workspace do so when that process has ended.
func TestViewBesideIsItsOwn(t *testing.T) {
	code, dir := write(t, map[string]string{"a.py": "def early():\n    pass\n"}), t.TempDir()
	keeper, err := findspot.Open(t.Context(), dir, &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keeper.AddRepo(t.Context(), code, nil); err != nil {
		t.Fatal(err)
	}
	ws := open(t, dir, nil)
	v := view(t, ws, &findspot.Options{NoServers: true, Beside: true})
	if found, _, err := v.Named(t.Context(), "early"); err != nil || len(found) != 1 {
		t.Fatalf("beside another process: %v, %v", found, err)
	}
	if _, _, err := ws.Named(t.Context(), "early"); !errors.As(err, new(*findspot.LockedError)) {
		t.Errorf("the workspace, while another process has the index: %v", err)
	}
	if err := keeper.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(code, "b.py"), []byte("def late():\n    pass\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*findspot.Workspace{ws, v} { // the view reads what was saved until the workspace keeps the index
		if found, _, err := w.Named(t.Context(), "late"); err != nil || len(found) != 1 {
			t.Errorf("the view %v, when the other process has ended: %v, %v", w == v, found, err)
		}
	}
}

// Whoever watches may ask the workspace.
func TestWatcherAsks(t *testing.T) {
	code := write(t, map[string]string{"a.py": "def a():\n    pass\n"})
	ws := open(t, t.TempDir(), nil)
	if _, err := ws.AddRepo(t.Context(), code, nil); err != nil {
		t.Fatal(err)
	}
	v := view(t, ws, &findspot.Options{NoServers: true, Progress: func(findspot.Progress) {}})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	asked := make(chan error, 100)
	ended := make(chan error, 1)
	go func() {
		ended <- v.Watch(ctx, func(*findspot.RepoInfo) {
			_, _, err := v.Named(ctx, "a")
			asked <- err
		})
	}()
	for i := range 2 {
		select {
		case err := <-asked:
			if err != nil {
				t.Error(err)
			}
		case <-ctx.Done():
			t.Fatal("a watcher that asks is not answered")
		}
		if err := os.WriteFile(filepath.Join(code, fmt.Sprintf("b%d.py", i)), []byte("def b():\n    pass\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	<-ended
}
