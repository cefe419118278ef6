package claude_test

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/skill"
)

type badStream struct{ name, body, fault, says string }

func hostile() []badStream {
	ev := func(kind, rest string) string {
		if rest != "" {
			rest = "," + rest
		}
		return fmt.Sprintf("event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, rest)
	}
	start := ev("message_start", `"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}`)
	text := func(i int, s string) string {
		return ev("content_block_start", fmt.Sprintf(`"index":%d,"content_block":{"type":"text","text":""}`, i)) +
			ev("content_block_delta", fmt.Sprintf(`"index":%d,"delta":{"type":"text_delta","text":%q}`, i, s)) +
			ev("content_block_stop", fmt.Sprintf(`"index":%d`, i))
	}
	call := func(i int, args string) string {
		return ev("content_block_start", fmt.Sprintf(`"index":%d,"content_block":{"type":"tool_use","id":"t","name":"look","input":{}}`, i)) +
			ev("content_block_delta", fmt.Sprintf(`"index":%d,"delta":{"type":"input_json_delta","partial_json":%q}`, i, args))
	}
	end := func(reason string) string {
		return ev("message_delta", fmt.Sprintf(`"delta":{"stop_reason":%q},"usage":{"output_tokens":5}`, reason)) + ev("message_stop", "")
	}
	big := strings.Repeat("x", 1<<20)
	return []badStream{
		{"a good one", start + text(0, "ok") + end("end_turn"), "", "ok"},
		{"nothing", "", skill.FaultNetwork, "cut off"},
		{"garbage", "\x00\xff\xfe garbage\n\n\n:::\n", skill.FaultNetwork, "cut off"},
		{"no JSON", start + "event: content_block_start\ndata: {nope\n\n", skill.FaultProtocol, ""},
		{"JSON of another kind", start + "event: content_block_start\ndata: [1,2]\n\n" + end("end_turn"), skill.FaultProtocol, ""},
		{"ends early", start + text(0, "half"), skill.FaultNetwork, "cut off"},
		{"no start", text(0, "x") + end("end_turn"), skill.FaultProtocol, "before message_start"},
		{"two starts", start + start + end("end_turn"), skill.FaultProtocol, "second message_start"},
		{"a delta of no block", start + ev("content_block_delta", `"index":3,"delta":{"type":"text_delta","text":"x"}`) + end("end_turn"), skill.FaultProtocol, "not open"},
		{"a delta of a block that ended", start + text(0, "x") + ev("content_block_delta", `"index":0,"delta":{"type":"text_delta","text":"x"}`), skill.FaultProtocol, "not open"},
		{"a negative index", start + ev("content_block_start", `"index":-1,"content_block":{"type":"text","text":""}`), skill.FaultProtocol, "block -1"},
		{"an index far away", start + ev("content_block_start", `"index":1000000000,"content_block":{"type":"text","text":""}`), skill.FaultProtocol, "block 1000000000"},
		{"one index twice", start + text(0, "x") + text(0, "y"), skill.FaultProtocol, "block 1 was next"},
		{"text in a call", start + call(0, "{}") + ev("content_block_delta", `"index":0,"delta":{"type":"text_delta","text":"x"}`), skill.FaultProtocol, "text_delta in a block of tool_use"},
		{"arguments in a text", start + ev("content_block_start", `"index":0,"content_block":{"type":"text","text":""}`) + ev("content_block_delta", `"index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}`), skill.FaultProtocol, "input_json_delta"},
		{"a call without a name", start + ev("content_block_start", `"index":0,"content_block":{"type":"tool_use","id":"t","input":{}}`), skill.FaultProtocol, "without a name"},
		{"a call that does not end", start + call(0, "{}") + end("tool_use"), skill.FaultProtocol, "not whole"},
		{"an end for a call that is not there", start + text(0, "x") + end("tool_use"), skill.FaultProtocol, "there is none"},
		{"an unknown end", start + text(0, "x") + end("world_end"), skill.FaultProtocol, `"world_end"`},
		{"arguments without end", start + call(0, big) + strings.Repeat(ev("content_block_delta", fmt.Sprintf(`"index":0,"delta":{"type":"input_json_delta","partial_json":%q}`, big)), 5), skill.FaultProtocol, "over 4194304 bytes"},
		{"blocks without end", start + func() (s string) {
			for i := range 600 {
				s += text(i, "x")
			}
			return s
		}(), skill.FaultProtocol, "over 512 blocks"},
		{"bytes without end", start + strings.Repeat(ev("ping", `"x":"`+big+`"`), 40), skill.FaultProtocol, "over 33554432 bytes"},
		{"a line without end", start + "data: " + strings.Repeat("x", 40<<20), skill.FaultProtocol, "over 33554432 bytes"},
		{"an error of no form", start + "event: error\ndata: <html>\n\n", skill.FaultProtocol, "<html>"},
		{"an error in words", start + `event: error` + "\n" + `data: {"type":"error","error":"no"}` + "\n\n", skill.FaultProtocol, "no"},
		{"what is after the end", start + text(0, "ok") + end("end_turn") + text(1, "more"), "", "ok"},
		{"no message_stop", start + text(0, "ok") + ev("message_delta", `"delta":{"stop_reason":"end_turn"}`), "", "ok"},
		{"counts that are none", strings.ReplaceAll(start, `"input_tokens":1`, `"input_tokens":-9000000000000000000,"cache_read_input_tokens":9223372036854775807`) + text(0, "ok") + end("end_turn"), "", "ok"},
	}
}
