package wire

import (
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/findspot/findspot/skill"
)

// BaseURL reads the address of a server: http or https, without user, query and fragment; no slash at its end.
func BaseURL(provider, raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	wrong := ""
	switch {
	case err != nil:
		wrong = "it is no URL"
	case u.Scheme != "http" && u.Scheme != "https":
		wrong = "it begins with neither http:// nor https://"
	case u.Host == "":
		wrong = "it names no host"
	case u.User != nil:
		wrong = "it holds a user or password; give the key in the options"
	case u.RawQuery != "" || u.Fragment != "":
		wrong = "it holds a query or fragment"
	}
	if wrong != "" { // the URL itself is not shown: it may hold a password
		return nil, &skill.ModelError{Fault: skill.FaultInvalid, Provider: provider, Text: "base URL: " + wrong}
	}
	u.Path = strings.TrimRight(u.Path, "/")
	return u, nil
}

// Clear reports whether what is sent to u can be read on the way: http to another machine.
func Clear(u *url.URL) bool {
	if u.Scheme == "https" || strings.EqualFold(u.Hostname(), "localhost") {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return ip == nil || !ip.IsLoopback()
}

// Secrets are the values that no error may show: the key, and the values of headers that may be one.
func Secrets(key string, h http.Header) []string {
	out := []string{key}
	for name, values := range h {
		switch http.CanonicalHeaderKey(name) {
		case "User-Agent", "Content-Type", "Accept", "Http-Referer", "X-Title":
			continue
		}
		for _, v := range values {
			out = append(out, v)
			if _, token, ok := strings.Cut(v, " "); ok { // Bearer ...
				out = append(out, token)
			}
		}
	}
	return out
}

// Args are the arguments of a call as skill.ToolCall wants them: a JSON object, else what was written as a JSON string.
// No text at all is an object without members.
func Args(text string) json.RawMessage {
	t := strings.TrimSpace(text)
	if t == "" {
		return json.RawMessage("{}")
	}
	if strings.HasPrefix(t, "{") && json.Valid([]byte(t)) {
		return json.RawMessage(t)
	}
	quoted, err := json.Marshal(text)
	if err != nil { // a string always can
		return json.RawMessage(`""`)
	}
	return quoted
}

// Whole reports whether the text is a whole JSON object.
func Whole(text string) bool {
	t := strings.TrimSpace(text)
	return strings.HasPrefix(t, "{") && json.Valid([]byte(t))
}

// Tokens is a count of tokens as a server says it, made sane: a server must not undo a limit with a negative number.
func Tokens(n int64) int { return int(max(0, min(n, 1<<31-1))) }
