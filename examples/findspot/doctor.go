package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/findspot/internal/agentconfig"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/examples/findspot/internal/space"
)

// The states of a check.
const (
	stateOK   = "ok"
	stateNote = "note" // works, and something could be better
	stateBad  = "bad"
)

// A check is one thing that doctor looked at.
type check struct {
	About string `json:"about"`
	State string `json:"state"`
	What  string `json:"what"`
	Do    string `json:"do,omitempty"`
}

// lowSpace is how many bytes a disk should have for indexes.
const lowSpace = 1 << 30

func doctorCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and the index, and say what to do",
		Long: `Check the installation and the index: the languages that this build parses, language servers and their versions, OCR,
the index and its sources, disk space and permissions. A line that does not begin with ok says what to do. The exit
status is 1 if something is bad; a note is not an error. Nothing is changed, and no server starts. To check the whole
index of documents, use findspot docs check.`,
		Example: "  findspot doctor\n  findspot doctor --json",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			list := examine(c.Context(), a)
			if err := c.Context().Err(); err != nil {
				return err
			}
			err := show(&a.console, list, nil, func(list []check) error {
				for _, x := range list {
					a.printf("%-4s  %-16s  %s\n", x.State, x.About, oneLine(x.What))
					if x.Do != "" {
						a.printf("%24s%s\n", "", oneLine(x.Do))
					}
				}
				return nil
			})
			bad := 0
			for _, x := range list {
				if x.State == stateBad {
					bad++
				}
			}
			if err == nil && bad > 0 {
				err = errNo
			}
			return err
		},
	}
}

func examine(ctx context.Context, a *app) []check {
	v := thisVersion()
	list := []check{{About: "findspot", State: stateOK, What: strings.TrimSpace(v.Version + ", " + v.Go + ", " + v.System)}}
	if len(v.Languages) > 1 {
		list = append(list, check{About: "languages", State: stateOK, What: strings.Join(v.Languages, ", ")})
	} else {
		list = append(list, check{About: "languages", State: stateNote, What: "this build parses only Go: it was built without a C compiler",
			Do: "install a C compiler (gcc, clang), and build with CGO_ENABLED=1"})
	}
	list = append(list, ocrCheck(ctx, a.env))
	list = append(list, folderChecks(a.env)...)
	place, err := a.place()
	if err != nil {
		return append(list, check{About: "index", State: stateBad, What: err.Error()})
	}
	list = append(list, agentChecks(a.env, place.Root)...)
	if _, err := a.env.Stat(a.dir); errors.Is(err, fs.ErrNotExist) {
		list = append(list, check{About: "index", State: stateNote, What: "there is none yet; it would be " + a.dir, Do: "findspot init, or findspot docs add PATH and findspot code index"})
		return append(list, roomCheck(a.env, place.Root))
	}
	o, err := a.options()
	if err == nil {
		o.ReadDocs = true
		a.ws, err = a.env.Workspace(ctx, a.dir, o)
	}
	if err != nil {
		a.ws = nil
		list = append(list, check{About: "index", State: stateBad, What: err.Error(), Do: "see the message; --dir DIR keeps an index in another folder"})
		return append(list, roomCheck(a.env, place.Root))
	}
	list = append(list, check{About: "index", State: stateOK, What: a.dir})
	list = append(list, docsHealth(ctx, a), reposHealth(a))
	list = append(list, serverHealth(ctx, a)...)
	return append(list, roomCheck(a.env, a.dir))
}

// agentChecks looks whether agents can start the servers that the project's files name.
func agentChecks(e *env.Env, root string) (out []check) {
	for _, agent := range agentconfig.Agents() {
		program := agent.Command(e.Path(root))
		if program == "" {
			continue
		}
		x := check{About: "MCP server", State: stateOK, What: program + " for " + agent.Name + " (" + agent.File() + ")"}
		if _, err := e.LookPath(program); err != nil {
			x.State, x.What, x.Do = stateBad, agent.File()+" starts "+program+", which is not on PATH", "put its folder on PATH, or run findspot init --agent "+agent.Name+" --server-command PROGRAM"
		}
		out = append(out, x)
	}
	return out
}

// A docCount is how many documents answer, and apart from them how many could not be read.
type docCount struct {
	Documents int `json:"documents"`
	Failed    int `json:"documents_not_read"`
}

func countDocs(ctx context.Context, lib *docsearch.Library) (n docCount, err error) {
	for status, to := range map[string]*int{docsearch.StatusReady: &n.Documents, docsearch.StatusFailed: &n.Failed} {
		list, err := lib.List(ctx, &docsearch.ListOptions{Status: status, Limit: 1})
		if err != nil {
			return n, err
		}
		*to = list.Total
	}
	return n, nil
}

func (n docCount) String() string {
	text := count(n.Documents, "document", "documents")
	if n.Failed > 0 {
		text += fmt.Sprintf(", and %d that could not be read", n.Failed)
	}
	return text
}

// docsHealth looks at the documents and, for a moment, at their files.
func docsHealth(ctx context.Context, a *app) check {
	const about = "documents"
	lib, err := a.ws.Docs(ctx)
	if err != nil {
		return check{About: about, State: stateBad, What: err.Error(), Do: "delete the folder docs in the index folder, and add the documents again"}
	}
	n, err := countDocs(ctx, lib)
	if err != nil {
		return check{About: about, State: stateBad, What: err.Error(), Do: "findspot docs check says what is broken"}
	}
	src, err := lib.CheckSources(ctx, 2*time.Second)
	if err != nil {
		return check{About: about, State: stateBad, What: err.Error()}
	}
	x := check{About: about, State: stateOK, What: n.String()}
	if n.Failed > 0 {
		x.State, x.Do = stateNote, "findspot docs list --status failed says why"
	}
	if n := src.Changed + src.Gone; n > 0 {
		x.State, x.What, x.Do = stateNote, x.What+fmt.Sprintf(", %d changed on disk or gone", n), strings.TrimPrefix(x.Do+"; findspot docs add FOLDER brings them up to date", "; ")
	}
	if news, err := beside(ctx, lib); err == nil && len(news) > 0 {
		x.State, x.What, x.Do = stateNote, x.What+fmt.Sprintf(", %d new beside them", len(news)), "findspot docs fresh names them; findspot docs add FOLDER brings the index up to date"
	}
	return x
}

func reposHealth(a *app) check {
	const about = "repositories"
	repos, err := a.ws.Repos()
	if err != nil {
		return check{About: about, State: stateBad, What: err.Error(), Do: "findspot code index builds them again"}
	}
	if len(repos) == 0 {
		return check{About: about, State: stateNote, What: "none in the index", Do: "findspot code index DIR"}
	}
	var roots, gone []string
	for _, r := range repos {
		roots = append(roots, r.Root)
		if _, err := os.Stat(r.Root); err != nil {
			gone = append(gone, r.Root)
		}
	}
	if len(gone) > 0 {
		return check{About: about, State: stateBad, What: "missing: " + strings.Join(gone, ", "), Do: "restore them, or use others with --repo DIR"}
	}
	return check{About: about, State: stateOK, What: strings.Join(roots, ", ")}
}

// serverHealth tells of the language servers of the languages that repositories have.
func serverHealth(ctx context.Context, a *app) []check {
	list, err := a.ws.Servers(ctx)
	if err != nil {
		return []check{{About: "language servers", State: stateBad, What: err.Error()}}
	}
	var out []check
	var missing []string
	covered := map[string]bool{}
	for _, s := range list {
		if s.Installed {
			for _, l := range s.Languages {
				covered[l] = true
			}
			x := check{About: "language server", State: stateOK, What: strings.TrimSpace(s.Name+" "+s.Version) + " for " + strings.Join(s.Languages, ", ")}
			if s.Problem != "" {
				x.State, x.What, x.Do = stateNote, x.What+": "+s.Problem, "findspot lsp servers --start tries it"
			}
			out = append(out, x)
		}
	}
	for _, s := range list {
		need := false
		for _, l := range s.Languages {
			need = need || !covered[l]
		}
		if !s.Installed && need {
			missing = append(missing, s.Name)
		}
	}
	if len(missing) > 0 {
		out = append(out, check{About: "language servers", State: stateNote, What: "not installed: " + strings.Join(missing, ", "),
			Do: "only those for your languages matter; findspot lsp servers says how to install each"})
	}
	return out
}

// ocrCheck asks tesseract for its version.
func ocrCheck(ctx context.Context, e *env.Env) check {
	const about = "OCR"
	path, err := e.LookPath("tesseract")
	if err != nil {
		return check{About: about, State: stateNote, What: "tesseract is not installed: scanned pages have no text", Do: "install tesseract-ocr and the data for your languages, and add the documents with --ocr tesseract"}
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, e.Path(path), "--version").CombinedOutput()
	if err != nil {
		return check{About: about, State: stateBad, What: path + ": " + err.Error(), Do: "install it again"}
	}
	line, _, _ := bytes.Cut(out, []byte("\n"))
	return check{About: about, State: stateOK, What: clean(string(line)) + " at " + path}
}

// folderChecks looks whether the folders of the user that findspot keeps things in can be written.
func folderChecks(e *env.Env) []check {
	var out []check
	for _, f := range []struct {
		about string
		find  func() (string, error)
	}{{"cache folder", e.CacheDir}, {"config folder", e.ConfigDir}} {
		dir, err := f.find()
		if err == nil {
			err = writable(filepath.Join(dir, "findspot"))
		}
		if err != nil {
			out = append(out, check{About: f.about, State: stateBad, What: err.Error(), Do: "set HOME, or XDG_CACHE_HOME and XDG_CONFIG_HOME, to writable folders"})
			continue
		}
		out = append(out, check{About: f.about, State: stateOK, What: filepath.Join(dir, "findspot")})
	}
	return out
}

// writable reports why a folder cannot be written, or the nearest one above that is there.
func writable(dir string) error {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			return fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
		}
		dir = up
	}
	f, err := os.CreateTemp(dir, ".findspot-doctor-*")
	if err != nil {
		return plainPathError(err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// roomCheck looks at a folder that is written: whether it may be, and whether its disk has room.
func roomCheck(e *env.Env, dir string) check {
	const about = "disk"
	dir = e.Path(dir)
	if err := writable(dir); err != nil {
		return check{About: about, State: stateBad, What: err.Error(), Do: "make the folder writable, or keep the index in another one with --dir DIR"}
	}
	free, ok := space.Free(dir)
	switch {
	case !ok:
		return check{About: about, State: stateOK, What: "the folder is writable"}
	case free < lowSpace:
		return check{About: about, State: stateNote, What: fmt.Sprintf("%d MB are free", free>>20), Do: "free some space: an index needs about the size of the documents' text, and 10 MB for a few thousand files of code"}
	}
	return check{About: about, State: stateOK, What: fmt.Sprintf("%d GB are free", free>>30)}
}
