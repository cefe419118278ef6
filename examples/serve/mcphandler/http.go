package mcphandler

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot/internal/mcpstdio"
)

const (
	maxBody      = 8 << 20 // bytes of a request's body
	versionName  = "MCP-Protocol-Version"
	sessionName  = "Mcp-Session-Id"
	methodName   = "Mcp-Method"
	withoutState = "2026-07-28" // the first version of the protocol that has no sessions over HTTP
	versionMeta  = "io.modelcontextprotocol/protocolVersion"
)

// serveHTTP makes the two handlers of the SDK: it serves versions with sessions and those without by one of its own each.
func (h *Handler) serveHTTP() {
	server := func(*http.Request) *mcp.Server { return h.server }
	o := mcp.StreamableHTTPOptions{Logger: h.opt.Logger, SessionTimeout: h.opt.Idle, EventStore: newEvents(maxEventBytes), MaxRequestBodyBytes: maxBody}
	h.stateful = mcp.NewStreamableHTTPHandler(server, &o)
	h.stateless = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{Logger: h.opt.Logger, Stateless: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true})
}

// ServeHTTP serves streamable HTTP, at whatever path it is mounted.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h.ownPage(r); err != nil {
		refuse(w, http.StatusForbidden, err.Error())
		return
	}
	if h.closed.Err() != nil {
		refuse(w, http.StatusServiceUnavailable, "the server is ending")
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.closed, cancel)() // streams that a client listens on
	version := r.Header.Get(versionName)
	if r.Method == http.MethodPost {
		body, ok := readBody(w, r)
		if !ok {
			return
		}
		if version < withoutState {
			version = max(version, metaVersion(body))
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	// The stateful handler says which versions it has, and clients choose one of them.
	if discovers := r.Header.Get(methodName) == "server/discover"; version >= withoutState && !(discovers && h.skill != nil) {
		h.stateless.ServeHTTP(w, r.WithContext(context.WithValue(ctx, kindKey{}, kindStateless)))
		return
	}
	if r.Method == http.MethodPost && r.Header.Get(sessionName) == "" {
		// Those that are being opened are counted too: many at once would all find room.
		n := int(h.opening.Add(1))
		defer h.opening.Add(-1)
		if n+h.open() > h.opt.MaxSessions {
			w.Header().Set("Retry-After", "60")
			refuse(w, http.StatusServiceUnavailable, fmt.Sprintf("there are %d sessions, which is the most: end one (DELETE)", h.opt.MaxSessions))
			return
		}
	}
	h.stateful.ServeHTTP(w, r.WithContext(context.WithValue(ctx, kindKey{}, kindSession)))
}

// Sessions counts the sessions over HTTP that are open.
func (h *Handler) Sessions() int { return h.open() }

// open counts the sessions over HTTP.
func (h *Handler) open() int {
	n := 0
	for ss := range h.server.Sessions() {
		if ss.ID() != "" {
			n++
		}
	}
	return n
}

// ownPage refuses requests from pages of other origins. What a page can do by DNS rebinding the SDK refuses: another Host at a loopback address.
func (h *Handler) ownPage(r *http.Request) error {
	list := r.Header.Values("Origin")
	if len(list) == 0 {
		return nil
	}
	origin := list[0]
	if slices.Contains(h.opt.Origins, origin) && len(list) == 1 {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || len(list) > 1 || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
		return fmt.Errorf("origin %q is refused", origin[:min(len(origin), 100)])
	}
	return nil
}

// readBody reads the body and answers what is no message of the protocol.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "Content-Type must be application/json")
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes", large.Limit))
		return nil, false
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "the body could not be read")
		return nil, false
	}
	if answer := mcpstdio.Check(body); answer != nil {
		write(w, http.StatusBadRequest, answer)
		return nil, false
	}
	return body, true
}

// metaVersion is the version that a message itself says it is of; "" for none.
func metaVersion(body []byte) string {
	var m struct {
		Params struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		} `json:"params"`
	}
	var v string
	if json.Unmarshal(body, &m) != nil || json.Unmarshal(m.Params.Meta[versionMeta], &v) != nil {
		return ""
	}
	return v
}

// codeRefused is of the range that JSON-RPC leaves to servers.
const codeRefused = -32000

// refuse answers with an error of the protocol that belongs to no request.
func refuse(w http.ResponseWriter, status int, why string) {
	text, err := json.Marshal(why)
	if err != nil {
		text = []byte(`"refused"`)
	}
	write(w, status, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}`, codeRefused, text))
}

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone needs no answer
}
