package main

import (
	"bytes"
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

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
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
	docs := fs.String("docs", "", "folder of documents to add before serving")
	var repos []string
	fs.Func("repo", "repository to answer from (repeatable)", func(s string) error { repos = append(repos, s); return nil })
	if err := fs.Parse(args); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	ws, err := findspot.Open(ctx, *dir, &findspot.Options{Logger: log, NoServers: true})
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
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	log.Info("listening", "addr", ln.Addr().String())
	srv := &http.Server{Handler: handler(ws), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 5 * time.Minute, WriteTimeout: 5 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) }}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return srv.Shutdown(grace)
}

// handler serves a workspace. Two uploads are taken in at a time, so that memory stays bounded.
func handler(ws *findspot.Workspace) http.Handler {
	uploads := make(chan struct{}, 2)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /search", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Query string `json:"query"`
			Limit int    `json:"limit"`
			Doc   string `json:"doc"`
		}
		dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20))
		err := dec.Decode(&in)
		if err == nil && dec.More() {
			err = errors.New("something follows the object")
		}
		if err != nil {
			code := http.StatusBadRequest
			if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
				code = http.StatusRequestEntityTooLarge
			}
			fail(w, code, fmt.Errorf(`the body must be JSON such as {"query": "cell search"}: %w`, plainJSONError(err)))
			return
		}
		if strings.TrimSpace(in.Query) == "" {
			fail(w, http.StatusBadRequest, errors.New(`"query" is empty`))
			return
		}
		res, err := ws.SearchDocs(r.Context(), in.Query, &docsearch.SearchOptions{Limit: in.Limit, Doc: in.Doc})
		if errors.Is(err, findspot.ErrUnsupported) {
			fail(w, http.StatusBadRequest, err)
			return
		}
		if err != nil {
			fail(w, status(err), err)
			return
		}
		reply(w, http.StatusOK, res)
	})
	mux.HandleFunc("POST /documents", func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Query().Get("filename")
		if name == "" || strings.ContainsAny(name, `/\`) {
			fail(w, http.StatusBadRequest, errors.New("give ?filename=NAME.pdf, a name without folders"))
			return
		}
		if r.ContentLength > docsearch.MaxFile {
			fail(w, http.StatusRequestEntityTooLarge, fmt.Errorf("%s: %d bytes, over the limit of %d", name, r.ContentLength, docsearch.MaxFile))
			return
		}
		select {
		case uploads <- struct{}{}:
			defer func() { <-uploads }()
		case <-r.Context().Done():
			return
		}
		var data bytes.Buffer
		data.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead) // at most the limit, see above
		if _, err := data.ReadFrom(http.MaxBytesReader(w, r.Body, docsearch.MaxFile)); err != nil {
			if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
				fail(w, http.StatusRequestEntityTooLarge, fmt.Errorf("%s: over the limit of %d bytes", name, docsearch.MaxFile))
				return
			}
			fail(w, http.StatusBadRequest, fmt.Errorf("%s: %w", name, err)) // the client sent less than it promised
			return
		}
		doc, err := ws.AddDocument(r.Context(), name, data.Bytes())
		if err != nil {
			fail(w, status(err), err)
			return
		}
		code := http.StatusOK
		if doc.Change == docsearch.Added {
			code = http.StatusCreated
		}
		reply(w, code, doc)
	})
	tools(mux, ws)
	return mux
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
			if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in); err != nil {
				fail(w, http.StatusBadRequest, fmt.Errorf("the body must be the JSON that GET /tools describes: %w", plainJSONError(err)))
				return
			}
			res, err := tool.Call(r.Context(), in)
			if err != nil {
				fail(w, http.StatusBadRequest, err)
				return
			}
			reply(w, http.StatusOK, map[string]any{"text": res.Text, "items": res.Items, "data": res.Data, "verdict": res.Verdict})
		})
	}
	mux.HandleFunc("GET /tools", func(w http.ResponseWriter, r *http.Request) { reply(w, http.StatusOK, list) })
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

func fail(w http.ResponseWriter, code int, err error) {
	reply(w, code, map[string]string{"error": err.Error()})
}

func reply(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // the client is gone
}
