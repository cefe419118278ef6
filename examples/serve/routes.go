package serve

import (
	"net/http"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/internal/httpguard"
)

const (
	// listening is how long a client may listen to a session over MCP, after which it comes again and misses nothing.
	listening = 12 * time.Hour
	maxMCP    = 8 << 20  // bytes of a message
	maxSealed = 16 << 20 // bytes of an answer file
	// envelope is what a document or an answer takes beside its bytes in a message.
	envelope = 1 << 20
)

var (
	service = findspotv1.File_findspot_v1_findspot_proto.Services().ByName("Findspot")
	prefix  = "/" + string(service.FullName()) + "/"
	// messages are the content types of Connect, gRPC and gRPC-Web. No form of a web page can send them.
	messages = []string{
		"application/json", "application/proto", "application/connect+json", "application/connect+proto",
		"application/grpc", "application/grpc+proto", "application/grpc+json",
		"application/grpc-web", "application/grpc-web+proto", "application/grpc-web+json",
	}
	documents = []string{"application/octet-stream", "application/pdf", "text/markdown", "text/html"}
)

// patterns are all routes, for a mux.
var patterns = []string{prefix, "/search", "/documents", "/documents/", "/tools", "/tools/", "/openapi.json", "/marked/", "/mcp", "/healthz"}

// pagePatterns are those of the page.
var pagePatterns = []string{"/{$}", "/assets/"}

// route says how a request passes, from its method and its path.
func (s *Server) route(r *http.Request) httpguard.Route {
	path := r.URL.Path
	named := func(pattern string) httpguard.Route { return httpguard.Route{Name: method(r.Method) + " " + pattern} }
	switch {
	case strings.HasPrefix(path, prefix):
		return s.procedure(path[len(prefix):])
	case path == "/mcp":
		rt := named("/mcp")
		rt.Live, rt.MaxBody = true, maxMCP
		if r.Method == http.MethodGet {
			rt.Timeout = listening
		}
		return rt
	case path == "/documents" && r.Method == http.MethodPost:
		rt := named("/documents")
		rt.Types, rt.MaxBody, rt.Upload = documents, s.opt.MaxUpload, true
		return rt
	case strings.HasPrefix(path, "/documents/"):
		rt := named("/documents/{id}")
		if strings.HasSuffix(path, "/file") { // it may be large, and is read in ranges
			rt.Name, rt.Live = method(r.Method)+" /documents/{id}/file", true
		}
		return rt
	case strings.HasPrefix(path, "/marked/"): // as files of documents are
		rt := named("/marked/{id}")
		rt.Live = true
		return rt
	case path == "/":
		rt := named("/")
		rt.Public = true
		return rt
	case strings.HasPrefix(path, "/assets/"):
		rt := named("/assets/")
		rt.Public = true
		return rt
	case path == "/healthz":
		rt := named(path)
		rt.Public = true
		return rt
	case strings.HasPrefix(path, "/tools/"):
		return named("/tools/{name}")
	case path == "/documents", path == "/search", path == "/tools", path == "/openapi.json":
		return named(path)
	}
	return httpguard.Route{}
}

// procedure is the route of a method of the service.
func (s *Server) procedure(name string) httpguard.Route {
	m := service.Methods().ByName(protoreflect.Name(name))
	if m == nil {
		return httpguard.Route{Name: prefix + "other", Types: messages, Connect: true}
	}
	rt := httpguard.Route{Name: prefix + name, Types: messages, Connect: true, Live: m.IsStreamingServer(), Duplex: m.IsStreamingClient()}
	switch name {
	case "AddDocument": // in JSON, bytes are in base 64
		rt.Upload, rt.MaxBody = true, s.opt.MaxUpload*4/3+envelope
	case "VerifyAnswer", "Recheck", "MarkDocument", "WriteBundle":
		rt.MaxBody = maxSealed + envelope
	}
	return rt
}

// method is one that HTTP knows; a client may send any word.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodOptions, http.MethodPut, http.MethodPatch:
		return m
	}
	return "other"
}
