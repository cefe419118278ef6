package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
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
	trustIndex := fs.Bool("trust-index", false, "use an index that somebody else made: of another user, writable by everybody, or come with a repository")
	docs := fs.String("docs", "", "folder of documents to add before serving")
	var repos []string
	fs.Func("repo", "repository to answer from (repeatable)", func(s string) error { repos = append(repos, s); return nil })
	tokenFile := fs.String("token-file", "", "file with a token that every request must bring, needed for an address that other machines reach (default: the variable FINDSPOT_TOKEN)")
	var guard httpguard.Options
	fs.Func("host", "name that requests may be for, beside localhost and the address (repeatable)", func(s string) error { guard.Hosts = append(guard.Hosts, s); return nil })
	fs.Func("origin", "origin of web pages that may ask, such as https://example.org (repeatable)", func(s string) error { guard.Origins = append(guard.Origins, s); return nil })
	var o findspot.Options
	fs.BoolVar(&o.ShowSecrets, "show-secrets", false, "give out files that are known to hold secrets, and do not mask keys and tokens")
	fs.BoolVar(&o.ReadIgnored, "read-ignored", false, "give out files that .gitignore leaves out")
	if err := fs.Parse(args); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	if guard.Token, err = httpguard.ReadToken(*tokenFile); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	defer ln.Close() // the server closes it too
	all, err := httpguard.CheckAddress(ln.Addr(), guard.Token)
	if err != nil {
		return err
	}
	if all {
		log.Warn("other machines reach this address, and the connection is not encrypted: put a proxy with TLS before it", "addr", ln.Addr().String())
	}
	o.TrustIndex, o.Logger, o.NoServers, o.OnlyRepos, guard.Logger = *trustIndex, log, true, repos, log
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
	return httpguard.Serve(ctx, httpguard.Server(httpguard.New(handler(ws, o.ShowSecrets), ln.Addr(), &guard), log), ln, 10*time.Second)
}

// replies writes answers with secrets masked, unless the host shows them.
type replies struct{ show bool }

func (p replies) reply(w http.ResponseWriter, code int, v any) {
	if !p.show {
		var err error
		if v, _, err = secrets.JSON(v); err != nil {
			httpguard.Fail(w, http.StatusInternalServerError, err)
			return
		}
	}
	httpguard.Reply(w, code, v)
}

func (p replies) fail(w http.ResponseWriter, err error) {
	p.reply(w, status(err), map[string]string{"error": err.Error()})
}

// handler serves a workspace. Two uploads are taken in at a time, so that memory stays bounded; they are read before they wait.
func handler(ws *findspot.Workspace, showSecrets bool) http.Handler {
	out := replies{showSecrets}
	reading, adding := make(chan struct{}, 8), make(chan struct{}, 2)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /search", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Query string `json:"query"`
			Limit int    `json:"limit"`
			Doc   string `json:"doc"`
		}
		if err := httpguard.ReadJSON(w, r, &in); err != nil {
			failBody(w, `the body must be JSON such as {"query": "cell search"}`, err)
			return
		}
		if strings.TrimSpace(in.Query) == "" {
			httpguard.Fail(w, http.StatusBadRequest, errors.New(`"query" is empty`))
			return
		}
		res, err := ws.SearchDocs(r.Context(), in.Query, &docsearch.SearchOptions{Limit: in.Limit, Doc: in.Doc})
		if errors.Is(err, findspot.ErrUnsupported) {
			httpguard.Fail(w, http.StatusBadRequest, err)
			return
		}
		if err != nil {
			out.fail(w, err)
			return
		}
		out.reply(w, http.StatusOK, res)
	})
	mux.HandleFunc("POST /documents", func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Query().Get("filename")
		if name == "" || len(name) > 255 || name[0] == '.' || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return r == '/' || r == '\\' || unicode.IsControl(r) }) {
			httpguard.Fail(w, http.StatusBadRequest, errors.New("give ?filename=NAME.pdf, a name of at most 255 bytes without folders"))
			return
		}
		// None of these is a type that the form of a web page can send.
		if err := httpguard.CheckType(r, "application/octet-stream", "application/pdf", "text/markdown", "text/html"); err != nil {
			httpguard.FailBody(w, err)
			return
		}
		if !enter(r.Context(), reading) {
			return
		}
		f, err := httpguard.Spool(w, r, docsearch.MaxFile)
		<-reading
		if err != nil {
			failBody(w, name, err)
			return
		}
		defer f.Close() // read only
		if !enter(r.Context(), adding) {
			return
		}
		defer func() { <-adding }()
		data, err := io.ReadAll(f)
		if err != nil {
			httpguard.Fail(w, http.StatusInternalServerError, err)
			return
		}
		doc, err := ws.AddDocument(r.Context(), name, data)
		if err != nil {
			out.fail(w, err)
			return
		}
		code := http.StatusOK
		if doc.Change == docsearch.Added {
			code = http.StatusCreated
		}
		out.reply(w, code, doc)
	})
	tools(mux, ws)
	return mux
}

// enter waits for a place; it is not there when the client has gone.
func enter(ctx context.Context, places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// failBody answers that a body cannot be used.
func failBody(w http.ResponseWriter, what string, err error) {
	code := http.StatusBadRequest
	if be := (*httpguard.BodyError)(nil); errors.As(err, &be) {
		code = be.Status
	}
	httpguard.FailBody(w, &httpguard.BodyError{Status: code, Err: fmt.Errorf("%s: %w", what, plainJSONError(err))})
}

// tools offers what agents are given, one address a tool: the body is the tool's input. A call that fails answers 400 with
// the reason, so that a client can mend it.
func tools(mux *http.ServeMux, ws *findspot.Workspace) {
	type info struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"schema"`
	}
	list := []info{}
	for _, tool := range ws.Tools(nil) {
		spec := tool.Spec()
		list = append(list, info{spec.Name, spec.Description, spec.Schema})
		mux.HandleFunc("POST /tools/"+tool.Name, func(w http.ResponseWriter, r *http.Request) {
			var in json.RawMessage
			if err := httpguard.ReadJSON(w, r, &in); err != nil {
				failBody(w, "the body must be the JSON that GET /tools describes", err)
				return
			}
			res, err := tool.Call(r.Context(), in)
			if err != nil {
				httpguard.Fail(w, http.StatusBadRequest, err)
				return
			}
			httpguard.Reply(w, http.StatusOK, map[string]any{"text": res.Text, "items": res.Items, "data": res.Data, "verdict": res.Verdict})
		})
	}
	mux.HandleFunc("GET /tools", func(w http.ResponseWriter, r *http.Request) { httpguard.Reply(w, http.StatusOK, list) })
}

// plainJSONError names the field of the body, not the Go type behind it.
func plainJSONError(err error) error {
	if te := (*json.UnmarshalTypeError)(nil); errors.As(err, &te) {
		if te.Field == "" {
			return fmt.Errorf("it is a JSON %s", te.Value)
		}
		return fmt.Errorf("%q is a %s", te.Field, te.Value)
	}
	return err
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
