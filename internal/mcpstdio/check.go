package mcpstdio

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Check returns the answer to a text that is no message of the protocol, nor a batch of them, by the rules of this package; nil for one that is. It is for
// transports that are not of lines, such as HTTP. A message that is to have no answer, an error with the id null, has one here: such a transport must answer something.
func Check(text []byte) []byte {
	text = bytes.Trim(text, blanks)
	if len(text) == 0 {
		return (&refusal{code: jsonrpc.CodeParseError, text: "parse error: nothing was sent"}).line(nil)
	}
	first, bad := parse(text)
	if bad != nil {
		return bad.line(nil)
	}
	if first != '[' {
		if _, bad = check(text); bad != nil {
			return bad.line(nil)
		}
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return invalid(nil, "%v", err).line(nil)
	}
	if len(list) == 0 || len(list) > maxBatch {
		return invalid(nil, "a batch of %d messages: there must be 1 to %d", len(list), maxBatch).line(nil)
	}
	for _, raw := range list {
		if _, bad := check(raw); bad != nil {
			return bad.line(nil)
		}
	}
	return nil
}
