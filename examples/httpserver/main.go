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
		if err := dec.Decode(&in); err != nil {
			fail(w, http.StatusBadRequest, fmt.Errorf(`the body must be JSON such as {"query": "cell search"}: %w`, err))
			return
		}
		if strings.TrimSpace(in.Query) == "" {
			fail(w, http.StatusBadRequest, errors.New(`"query" is empty`))
			return
		}
		res, err := ws.SearchDocs(r.Context(), in.Query, &docsearch.SearchOptions{Limit: in.Limit, Doc: in.Doc})
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
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, docsearch.MaxFile))
		if err != nil {
			fail(w, status(err), err)
			return
		}
		doc, err := ws.AddDocument(r.Context(), name, data)
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
	return mux
}

func status(err error) int {
	var tooLong *http.MaxBytesError
	var conflict *docsearch.ConflictError
	var bad *docsearch.IngestError
	switch {
	case errors.As(err, &tooLong), errors.Is(err, findspot.ErrTooLarge):
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
