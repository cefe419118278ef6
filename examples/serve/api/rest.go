package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/internal/httpguard"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/skill/evidence"
)

//go:embed openapi.json
var openAPI []byte

// A route is one of the plain routes, beside those of the service's methods.
type route struct {
	method, path string
	summary      string // for the description
	body         string // name of the schema of a JSON body; "bytes" for a document; "": none
	answer       string // name of the schema of the answer; "bytes" for a file
	query        []parameter
	serve        func(s *Service, w http.ResponseWriter, r *http.Request) error
}

// A parameter is one of the address's.
type parameter struct{ name, kind, about string }

// routes are the plain routes.
func routes() []route {
	return []route{
		{"POST", "/search", "Searches the documents.", "SearchBody", "SearchAnswer", nil, (*Service).postSearch},
		{"POST", "/documents", "Adds a document; the same name with other content replaces it.", "bytes", "DocumentAnswer",
			[]parameter{{"filename", "string", "its name, whose ending says what it is"}}, (*Service).postDocument},
		{"GET", "/documents", "Lists the documents by name, a page at a time.", "", "DocumentsAnswer", []parameter{
			{"limit", "integer", "most documents; 100 when it is left out, at most 1000"}, {"after", "string", "next of the page before"},
			{"collection", "string", "only those in it"}, {"status", "string", "only those in this state: ready or failed"},
		}, (*Service).getDocuments},
		{"GET", "/documents/{id}", "Tells what is known of a document.", "", "DocumentAnswer", nil, (*Service).getDocument},
		{"DELETE", "/documents/{id}", "Takes a document out of the library, with its file where it was uploaded.", "", "DocumentAnswer", nil, (*Service).deleteDocument},
		{"GET", "/documents/{id}/file", "Gives the file that a document was read from.", "", "bytes", nil, (*Service).getFile},
		{"GET", "/tools", "Lists the functions for agents.", "", "ToolsAnswer", nil, (*Service).getTools},
		{"POST", "/tools/{name}", "Calls a function for agents; the body is what GET /tools describes.", "Any", "ToolAnswer", nil, (*Service).postTool},
		{"GET", "/openapi.json", "Gives this description.", "", "Any", nil, (*Service).getOpenAPI},
	}
}

// registerREST mounts the plain routes. A path has one handler for all its methods, so that a wrong one gets JSON too.
func (s *Service) registerREST(mux *http.ServeMux) {
	paths := map[string]map[string]route{}
	for _, rt := range routes() {
		if paths[rt.path] == nil {
			paths[rt.path] = map[string]route{}
		}
		paths[rt.path][rt.method] = rt
	}
	for path, byMethod := range paths {
		var allow []string
		for m := range byMethod {
			allow = append(allow, m)
		}
		slices.Sort(allow)
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			rt, ok := byMethod[r.Method]
			if !ok && r.Method == http.MethodHead {
				rt, ok = byMethod[http.MethodGet]
			}
			if !ok {
				w.Header().Set("Allow", strings.Join(allow, ", "))
				s.fail(w, r, httpguard.Errorf(http.StatusMethodNotAllowed, "%s is not for %s: use %s", r.URL.Path, r.Method, strings.Join(allow, " or ")))
				return
			}
			defer func() {
				if p := recover(); p != nil && p != http.ErrAbortHandler { // that one is how a broken connection ends
					s.fail(w, r, s.errors.panicked(r.URL.Path, p))
				} else if p != nil {
					panic(p)
				}
			}()
			if err := rt.serve(s, w, r); err != nil {
				s.fail(w, r, err)
			}
		})
	}
	for _, below := range []string{"/search/", "/documents/", "/tools/"} {
		mux.HandleFunc(below, s.noRoute)
	}
}

func (s *Service) noRoute(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, httpguard.Errorf(http.StatusNotFound, "there is nothing at %s: /openapi.json lists what there is", r.URL.Path))
}

// fail answers with an error, of which a client is told what it may know.
func (s *Service) fail(w http.ResponseWriter, r *http.Request, err error) {
	if own := (*httpguard.Error)(nil); errors.As(err, &own) {
		err = httpguard.Errorf(own.Status, "%s", message.Text(own.Err.Error(), s.mask()))
	} else {
		err = s.errors.plainly(err)
		k, _ := s.errors.kindOf(err)
		err = httpguard.Errorf(k.status, "%s", s.errors.tell(r.Method+" "+r.URL.Path, err).Message())
	}
	httpguard.Fail(w, s.log, err)
}

// reply answers with a value as JSON.
func (s *Service) reply(w http.ResponseWriter, code int, answer any) error {
	if s.mask() {
		masked, _, err := secrets.JSON(answer)
		if err != nil {
			return err
		}
		answer = masked
	}
	httpguard.Reply(w, code, answer)
	return nil
}

// readJSON decodes a body. Errors say what it must be, and name the field of the body, not the Go type behind it.
func readJSON(r *http.Request, to any, must string) error {
	var raw json.RawMessage
	err := httpguard.ReadJSON(r, &raw)
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if err = dec.Decode(to); err != nil {
			err = &httpguard.Error{Status: http.StatusBadRequest, Err: err}
		}
	}
	bad, wrong := (*httpguard.Error)(nil), (*json.UnmarshalTypeError)(nil)
	switch {
	case !errors.As(err, &bad):
		return err
	case errors.As(err, &wrong) && wrong.Field == "":
		return httpguard.Errorf(bad.Status, "%s: it is a JSON %s", must, wrong.Value)
	case errors.As(err, &wrong):
		return httpguard.Errorf(bad.Status, "%s: %q is a %s", must, wrong.Field, wrong.Value)
	}
	return httpguard.Errorf(bad.Status, "%s: %s", must, strings.TrimPrefix(err.Error(), "json: "))
}

// searchBody is what POST /search takes.
type searchBody struct {
	Query string           `json:"query"`
	Limit int              `json:"limit"`
	Doc   string           `json:"doc"`
	Tiers []docsearch.Tier `json:"tiers"` // list by these; else a question in a whole sentence is answered by the pieces that fit it best
}

func (s *Service) postSearch(w http.ResponseWriter, r *http.Request) error {
	var in searchBody
	if err := readJSON(r, &in, `the body must be JSON such as {"query": "cell search"}, with "query", "limit", "doc" and "tiers"`); err != nil {
		return err
	}
	if strings.TrimSpace(in.Query) == "" {
		return invalid(`"query" is empty`)
	}
	o := &docsearch.SearchOptions{Limit: in.Limit, Doc: in.Doc, Tiers: in.Tiers}
	o.Answering(in.Query)
	res, err := s.ws.SearchDocs(r.Context(), in.Query, o)
	if err != nil {
		return err
	}
	return s.reply(w, http.StatusOK, res)
}

// documentTypes are content types of documents. None of them is one that the form of a web page can send.
func documentTypes() []string {
	return []string{"application/octet-stream", "application/pdf", "text/markdown", "text/html"}
}

func (s *Service) postDocument(w http.ResponseWriter, r *http.Request) error {
	name := r.URL.Query().Get("filename")
	if err := checkName(name); err != nil {
		return httpguard.Errorf(http.StatusBadRequest, "give ?filename=NAME.pdf, a name of at most %d bytes without folders", maxName)
	}
	if _, err := httpguard.CheckType(r, documentTypes()...); err != nil {
		return err
	}
	data, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, docsearch.MaxFile+1)) // add says so when it is longer
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		return httpguard.Errorf(http.StatusRequestEntityTooLarge, "over the limit of %d bytes", docsearch.MaxFile)
	}
	if err != nil {
		return httpguard.Errorf(http.StatusBadRequest, "the body is not whole: %v", err)
	}
	doc, err := s.docs.add(r.Context(), name, data)
	if err != nil {
		return err
	}
	if doc.Change == docsearch.Added {
		return s.reply(w, http.StatusCreated, doc)
	}
	return s.reply(w, http.StatusOK, doc)
}

func (s *Service) getDocuments(w http.ResponseWriter, r *http.Request) error {
	o, q := &docsearch.ListOptions{}, r.URL.Query()
	for name := range q {
		switch value := q.Get(name); name {
		case "limit":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > maxListed {
				return invalid("limit=%s: give a number from 1 to %d", value, maxListed)
			}
			o.Limit = n
		case "after":
			o.After = value
		case "collection":
			o.Collection = value
		case "status":
			o.Status = value
		default:
			return invalid("there is no parameter %q: use limit, after, collection and status", name)
		}
	}
	list, err := s.docs.list(r.Context(), o)
	if err != nil {
		return err
	}
	return s.reply(w, http.StatusOK, list)
}

// byID is a document by its id alone: an address means one thing, whatever is added.
func (s *Service) byID(r *http.Request) (*docsearch.Document, error) {
	id := r.PathValue("id")
	_, doc, err := s.docs.exactly(r.Context(), id)
	if err == nil && doc.ID != id {
		err = httpguard.Errorf(http.StatusNotFound, "document %q: not found: an address has the id of a document, which is %s", id, doc.ID)
	}
	return doc, err
}

func (s *Service) getDocument(w http.ResponseWriter, r *http.Request) error {
	doc, err := s.byID(r)
	if err != nil {
		return err
	}
	return s.reply(w, http.StatusOK, doc)
}

func (s *Service) deleteDocument(w http.ResponseWriter, r *http.Request) error {
	doc, err := s.byID(r)
	if err != nil {
		return err
	}
	if doc, err = s.docs.remove(r.Context(), doc.ID); err != nil {
		return err
	}
	return s.reply(w, http.StatusOK, doc)
}

// fileTypes are content types by endings. A browser shows none of them but PDF from this server: the others are saved.
var fileTypes = map[string]string{
	".pdf": "application/pdf", ".md": "text/markdown; charset=utf-8", ".markdown": "text/markdown; charset=utf-8", ".txt": "text/plain; charset=utf-8",
	".html": "text/html; charset=utf-8", ".htm": "text/html; charset=utf-8", ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	".csv": "text/csv; charset=utf-8", ".tsv": "text/tab-separated-values; charset=utf-8", ".json": "application/json", ".epub": "application/epub+zip",
}

func (s *Service) getFile(w http.ResponseWriter, r *http.Request) error {
	doc, err := s.byID(r)
	if err != nil {
		return err
	}
	f, err := s.docs.original(doc)
	if err != nil {
		return err
	}
	defer f.Close() // read only
	end := ending(doc.Origin)
	kind := fileTypes[end]
	if kind == "" {
		kind = "application/octet-stream"
	}
	how := "attachment"
	if end == ".pdf" {
		how = "inline"
	}
	var content io.ReadSeeker = f
	tag := doc.Hash
	if s.mask() && !packed(end, f) {
		text, n, err := s.masks.open(r.Context(), doc.Name, io.LimitReader(f, doc.Size))
		if err != nil {
			return err
		}
		defer text.Close() // read only
		if n > 0 {
			tag += "-masked"
		}
		content = text
	}
	name := doc.Name[strings.LastIndexByte(doc.Name, '/')+1:]
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", mime.FormatMediaType(how, map[string]string{"filename": name}))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("ETag", fmt.Sprintf("%q", tag))
	http.ServeContent(w, r, "", time.Time{}, content)
	return nil
}

type toolInfo struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
}

type toolAnswer struct {
	Text    string          `json:"text"`
	Items   []evidence.Item `json:"items"`
	Data    any             `json:"data"`
	Verdict string          `json:"verdict"`
}

func (s *Service) getTools(w http.ResponseWriter, _ *http.Request) error {
	list := []toolInfo{}
	for _, t := range s.tools {
		spec := t.Spec()
		list = append(list, toolInfo{spec.Name, spec.Description, spec.Schema})
	}
	httpguard.Reply(w, http.StatusOK, list)
	return nil
}

// postTool calls what agents are given: the body is the tool's input. A call that fails answers 400 with the reason, so that a client can mend it.
func (s *Service) postTool(w http.ResponseWriter, r *http.Request) error {
	t := toolOf(s.tools, r.PathValue("name"))
	if t == nil {
		return httpguard.Errorf(http.StatusNotFound, "%v", errNoTool(r.PathValue("name")))
	}
	var in json.RawMessage
	if err := readJSON(r, &in, "the body must be the JSON that GET /tools describes"); err != nil {
		return err
	}
	res, err := t.Call(r.Context(), in)
	if err != nil {
		return s.errors.ofTool(in, err)
	}
	return s.reply(w, http.StatusOK, toolAnswer{res.Text, res.Items, res.Data, res.Verdict})
}

func errNoTool(name string) error {
	return fmt.Errorf("there is no tool %q: GET /tools lists them", name)
}

func (s *Service) getOpenAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(openAPI)
	if err != nil {
		panic(http.ErrAbortHandler) // the client is gone
	}
	return nil
}
