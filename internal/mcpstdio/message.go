package mcpstdio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	maxDepth  = 500       // of objects and arrays in one another; decoders recurse, and messages need a dozen
	maxID     = 1 << 10   // bytes of an id, as it is written
	maxMethod = 1 << 10   // bytes of a method, as it is written
	maxInt    = 1<<53 - 1 // the greatest integer that every reader of JSON takes as it is
)

// arrival is a message that came, or why it is none.
type arrival struct {
	msg   jsonrpc.Message
	bad   *refusal
	size  int    // bytes of its text
	batch *batch // that it came in
}

// refusal is what is wrong with a message.
type refusal struct {
	id     json.RawMessage // nil: null
	code   int64
	text   string
	silent bool // it is not to be answered
}

func invalid(id json.RawMessage, format string, args ...any) *refusal {
	return &refusal{id: id, code: jsonrpc.CodeInvalidRequest, text: "invalid request: " + fmt.Sprintf(format, args...)}
}

// line is the answer without its end. An id that a call under way has (owned tells) is not used: it would answer that call.
func (r *refusal) line(owned func(json.RawMessage) bool) []byte {
	type wireError struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	id := r.id
	if id == nil || owned != nil && owned(id) {
		id = json.RawMessage("null")
	}
	data, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   wireError       `json:"error"`
	}{"2.0", id, wireError{r.code, cut(r.text, maxErrorText)}})
	if err != nil {
		panic("mcpstdio: an id that is no JSON: " + err.Error()) // ids come from text that was parsed
	}
	return data
}

// parse makes sure that a line is one JSON value, and returns its first byte.
func parse(line []byte) (byte, *refusal) {
	bad := func(format string, args ...any) (byte, *refusal) {
		return 0, &refusal{code: jsonrpc.CodeParseError, text: "parse error: " + fmt.Sprintf(format, args...)}
	}
	if !utf8.Valid(line) {
		return bad("the line is not UTF-8")
	}
	if tooDeep(line) { // before anything that recurses
		return 0, invalid(nil, "nested deeper than %d", maxDepth)
	}
	if !json.Valid(line) {
		var any json.RawMessage
		return bad("%v; a message is one JSON value on one line", json.Unmarshal(line, &any))
	}
	return line[0], nil
}

// tooDeep counts brackets outside of strings. The text need not be JSON.
func tooDeep(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case b == '}' || b == ']':
			depth = max(depth-1, 0)
		}
	}
	return false
}

// check makes a message of a JSON value, or says why it is none. What it accepts the SDK can read.
func check(raw []byte) (jsonrpc.Message, *refusal) {
	if raw[0] != '{' {
		return nil, invalid(nil, "a message is an object")
	}
	field, twice := fields(raw)
	_, result := field["result"]
	failure := field["error"]
	if string(failure) == "null" {
		failure = nil
	}
	id, hasID := field["id"]
	if failure != nil && field["method"] == nil && (!hasID || string(id) == "null") {
		return nil, &refusal{silent: true, text: cut(string(failure), 500)}
	}
	echo := id
	if !echoed(id) || result || failure != nil { // the id of a response is ours, not one of the client's
		echo = nil
	}
	if twice != "" {
		return nil, invalid(echo, "%q twice", cut(twice, 100))
	}
	if text(field["jsonrpc"]) != "2.0" {
		return nil, invalid(echo, `"jsonrpc" is not "2.0"`)
	}
	if hasID {
		if err := fitID(id); err != nil {
			return nil, invalid(echo, "%v", err)
		}
	}
	method, isRequest := field["method"]
	switch {
	case isRequest && (result || failure != nil):
		return nil, invalid(nil, `"method" beside a result`)
	case isRequest && text(method) == "":
		return nil, invalid(echo, `"method" is not a name`)
	case isRequest && len(method) > maxMethod:
		return nil, invalid(echo, `"method" has more than %d bytes`, maxMethod)
	case !isRequest && !result && failure == nil:
		return nil, invalid(echo, `no "method"%s`, likely(field))
	case !isRequest && result && failure != nil:
		return nil, invalid(nil, "a result and an error")
	case !isRequest && !hasID:
		return nil, invalid(nil, "a result without an id")
	case !isRequest && result && failure == nil && field["result"][0] != '{':
		return nil, invalid(nil, `"result" is not an object`)
	}
	if p, ok := field["params"]; isRequest && ok && p[0] != '{' && string(p) != "null" {
		return nil, invalid(echo, `"params" is not an object`)
	}
	msg, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return nil, invalid(echo, "%v", err)
	}
	if req, ok := msg.(*jsonrpc.Request); ok && string(req.Params) == "null" {
		req.Params = nil
	}
	return msg, nil
}

// fields are the members of an object by name, and the first name that is there more than once: readers differ in which they take.
func fields(raw []byte) (by map[string]json.RawMessage, twice string) {
	by = map[string]json.RawMessage{}
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return by, twice
		}
		if err != nil {
			panic("mcpstdio: an object that was valid is not: " + err.Error())
		}
		name, ok := tok.(string)
		if !ok {
			continue // a brace of the object itself
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			panic("mcpstdio: a value that was valid is not: " + err.Error())
		}
		if _, ok := by[name]; ok && twice == "" {
			twice = name
		}
		by[name] = value
	}
}

// text is the value of a JSON string, and empty for anything else.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// echoed tells ids that an answer can repeat: numbers and strings, of any value but of bounded length.
func echoed(id json.RawMessage) bool {
	return len(id) > 0 && len(id) <= maxID && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}

// fitID says what is wrong with an id. The SDK keeps numbers as 64-bit integers that it makes from floating-point ones.
func fitID(id json.RawMessage) error {
	switch {
	case string(id) == "null":
		return errors.New(`"id" is null: leave it out of a notification`)
	case len(id) > maxID:
		return fmt.Errorf(`"id" has more than %d bytes`, maxID)
	case !echoed(id):
		return errors.New(`"id" is neither a string nor an integer`)
	case id[0] == '"':
		return nil
	}
	n, err := strconv.ParseFloat(string(id), 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) > maxInt {
		return fmt.Errorf(`"id" is not an integer of at most %d: use a string`, int64(maxInt))
	}
	return nil
}

// likely names a member that is meant for the method but is written in another case.
func likely(field map[string]json.RawMessage) string {
	for _, name := range slices.Sorted(maps.Keys(field)) {
		if strings.EqualFold(name, "method") {
			return fmt.Sprintf(", but %q: names are in lower case", name)
		}
	}
	return ""
}

// rawID is an id as it is written.
func rawID(id jsonrpc.ID) json.RawMessage {
	data, err := json.Marshal(id.Raw())
	if err != nil {
		return nil // no id is of such a kind
	}
	return data
}

// cut shortens a text to at most n bytes and a mark, at the edge of a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}
