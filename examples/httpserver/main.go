package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/httpguard"
	"github.com/findspot/findspot/internal/secrets"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "httpserver:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stderr io.Writer) (err error) {
	fs := flag.NewFlagSet("httpserver", flag.ContinueOnError)
	fs.SetOutput(stderr)
	addr := fs.String("addr", "127.0.0.1:8080", "address to listen on")
	dir := fs.String("dir", ".findspot", "folder of the index")
	trustIndex := fs.Bool("trust-index", false, "use an index that somebody else made: owned by another user, writable by everybody, or part of a repository")
	docs := fs.String("docs", "", "folder of documents to add before serving")
	var repos []string
	fs.Func("repo", "repository to answer from (repeatable)", func(s string) error { repos = append(repos, s); return nil })
	tokenFile := fs.String("token-file", "", "file with a token that every request must contain, required for an address that other machines can reach (default: the variable FINDSPOT_TOKEN)")
	guard := httpguard.Options{Route: route}
	fs.Func("host", "name that requests may be for, beside localhost and the address (repeatable)", func(s string) error { guard.Hosts = append(guard.Hosts, s); return nil })
	fs.Func("origin", "origin of web pages that may ask, such as https://example.org (repeatable)", func(s string) error { guard.Origins = append(guard.Origins, s); return nil })
	var o findspot.Options
	fs.BoolVar(&o.ShowSecrets, "show-secrets", false, "return files that are known to contain secrets, and do not mask keys and tokens")
	fs.BoolVar(&o.ReadIgnored, "read-ignored", false, "return files that .gitignore excludes")
	if err := fs.Parse(args); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	if guard.Token, err = httpguard.ReadToken(*tokenFile); err != nil {
		return err
	}
	guard.Logger = log
	ln, err := httpguard.Listen(*addr, &guard)
	if err != nil {
		return err
	}
	defer ln.Close() // the server closes it too
	o.TrustIndex, o.Logger, o.NoServers, o.OnlyRepos = *trustIndex, log, true, repos
	ws, err := findspot.Open(ctx, *dir, &o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ws.Close()) }()
	if *docs != "" {
		for _, err := range ws.AddDocs(ctx, *docs) {
			var bad *docsearch.IngestError
			if errors.As(err, &bad) {
				log.Warn("document left out", "reason", bad)
			} else if err != nil {
				return err
			}
		}
	}
	for _, r := range repos {
		if _, err := ws.AddRepo(ctx, r, nil); err != nil {
			return err
		}
	}
	log.Info("listening", "addr", ln.Addr().String())
	return httpguard.Serve(ctx, ln, handler(ws, log, o.ShowSecrets), &guard)
}

// route lets documents be uploaded; all else are calls.
func route(r *http.Request) httpguard.Route {
	if r.URL.Path == "/documents" {
		return httpguard.Route{Types: documentTypes(), MaxBody: docsearch.MaxFile, Upload: true}
	}
	return httpguard.Route{}
}

// documentTypes are content types of documents. None of them is one that the form of a web page can send.
func documentTypes() []string {
	return []string{"application/octet-stream", "application/pdf", "text/markdown", "text/html"}
}

// handler serves a workspace. It runs behind httpguard, which has read the body and keeps the answer, so that no client is waited for here.
func handler(ws *findspot.Workspace, log *slog.Logger, showSecrets bool) http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, h func(r *http.Request) (code int, answer any, err error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			code, answer, err := h(r)
			if !showSecrets {
				if e := (*httpguard.Error)(nil); errors.As(err, &e) {
					text, _ := secrets.MaskString(e.Err.Error())
					err = httpguard.Errorf(e.Status, "%s", text)
				} else if err == nil {
					answer, _, err = secrets.JSON(answer)
				}
			}
			if err != nil {
				httpguard.Fail(w, log, err)
			} else {
				httpguard.Reply(w, code, answer)
			}
		})
	}
	handle("POST /search", func(r *http.Request) (int, any, error) {
		var in struct {
			Query string           `json:"query"`
			Limit int              `json:"limit"`
			Doc   string           `json:"doc"`
			Tiers []docsearch.Tier `json:"tiers"` // list by these; else a question in a whole sentence is answered by the pieces that fit it best
		}
		if err := readJSON(r, &in, `the body must be JSON such as {"query": "cell search"}`); err != nil {
			return 0, nil, err
		}
		if strings.TrimSpace(in.Query) == "" {
			return 0, nil, httpguard.Errorf(http.StatusBadRequest, `"query" is empty`)
		}
		o := &docsearch.SearchOptions{Limit: in.Limit, Doc: in.Doc, Tiers: in.Tiers}
		o.Answering(in.Query)
		res, err := ws.SearchDocs(r.Context(), in.Query, o)
		if errors.Is(err, findspot.ErrUnsupported) {
			return 0, nil, shown(err, http.StatusBadRequest)
		}
		if err != nil {
			return 0, nil, shown(err, status(err))
		}
		return http.StatusOK, res, nil
	})
	handle("POST /documents", func(r *http.Request) (int, any, error) {
		name := r.URL.Query().Get("filename")
		if name == "" || len(name) > 255 || name[0] == '.' || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return r == '/' || r == '\\' || unicode.IsControl(r) }) {
			return 0, nil, httpguard.Errorf(http.StatusBadRequest, "give ?filename=NAME.pdf, a name of at most 255 bytes without folders")
		}
		if _, err := httpguard.CheckType(r, documentTypes()...); err != nil {
			return 0, nil, err
		}
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return 0, nil, err
		}
		doc, err := ws.AddDocument(r.Context(), name, data)
		if err != nil {
			return 0, nil, shown(err, status(err))
		}
		if doc.Change == docsearch.Added {
			return http.StatusCreated, doc, nil
		}
		return http.StatusOK, doc, nil
	})

	// What agents are given, one address a tool: the body is the tool's input. A call that fails answers 400 with the reason, so that a client can mend it.
	type info struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"schema"`
	}
	list := []info{}
	for _, tool := range ws.Tools(nil) {
		spec := tool.Spec()
		list = append(list, info{spec.Name, spec.Description, spec.Schema})
		handle("POST /tools/"+tool.Name, func(r *http.Request) (int, any, error) {
			var in json.RawMessage
			if err := readJSON(r, &in, "the body must be the JSON that GET /tools describes"); err != nil {
				return 0, nil, err
			}
			res, err := tool.Call(r.Context(), in)
			if err != nil {
				if path := (*fs.PathError)(nil); errors.As(err, &path) && strings.Contains(string(in), path.Path) {
					return 0, nil, httpguard.Errorf(http.StatusBadRequest, "%w", err) // of the client's own words
				}
				return 0, nil, shown(err, http.StatusBadRequest)
			}
			return http.StatusOK, map[string]any{"text": res.Text, "items": res.Items, "data": res.Data, "verdict": res.Verdict}, nil
		})
	}
	handle("GET /tools", func(*http.Request) (int, any, error) { return http.StatusOK, list, nil })
	return mux
}

// readJSON decodes a body. Errors say what it must be, and name the field of the body, not the Go type behind it.
func readJSON(r *http.Request, to any, must string) error {
	err := httpguard.ReadJSON(r, to)
	bad, wrong := (*httpguard.Error)(nil), (*json.UnmarshalTypeError)(nil)
	switch {
	case !errors.As(err, &bad):
		return err
	case errors.As(err, &wrong) && wrong.Field == "":
		return httpguard.Errorf(bad.Status, "%s: it is a JSON %s", must, wrong.Value)
	case errors.As(err, &wrong):
		return httpguard.Errorf(bad.Status, "%s: %q is a %s", must, wrong.Field, wrong.Value)
	}
	return httpguard.Errorf(bad.Status, "%s: %w", must, err)
}

// shown marks an error as one that the client may read, with a status. What tells of the host, a path or who holds the index, stays as it is, and is logged.
func shown(err error, status int) error {
	var (
		path      *fs.PathError
		locked    *findspot.LockedError
		untrusted *findspot.UntrustedError
	)
	if status == http.StatusInternalServerError || errors.As(err, &path) && filepath.IsAbs(path.Path) || errors.As(err, &locked) || errors.As(err, &untrusted) ||
		errors.Is(err, findspot.ErrClosed) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &httpguard.Error{Status: status, Err: err}
}

func status(err error) int {
	var ambiguous *docsearch.AmbiguousError
	var conflict *docsearch.ConflictError
	var bad *docsearch.IngestError
	switch {
	case errors.As(err, &ambiguous):
		return http.StatusBadRequest
	case errors.Is(err, findspot.ErrTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &conflict):
		return http.StatusConflict
	case errors.Is(err, findspot.ErrUnsupported):
		return http.StatusUnsupportedMediaType
	case errors.Is(err, findspot.ErrNotFound):
		return http.StatusNotFound
	case errors.As(err, &bad):
		return http.StatusUnprocessableEntity
	}
	return http.StatusInternalServerError
}
