package openai_test

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/skill"
)

type badStream struct{ name, body, fault, says string }

func hostile() []badStream {
	chunk := func(delta, finish string) string {
		if finish != "null" {
			finish = fmt.Sprintf("%q", finish)
		}
		return fmt.Sprintf("data: {\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, finish)
	}
	text := func(s string) string { return chunk(fmt.Sprintf(`{"content":%q}`, s), "null") }
	call := func(fields, name, args string) string {
		return chunk(fmt.Sprintf(`{"tool_calls":[{%s"function":{"name":%q,"arguments":%q}}]}`, fields, name, args), "null")
	}
	end := func(reason string) string { return chunk("{}", reason) + "data: [DONE]\n\n" }
	big := strings.Repeat("x", 1<<20)
	return []badStream{
		{"a good one", text("ok") + end("stop"), "", "ok"},
		{"a call", call(`"index":0,"id":"a",`, "look", "{}") + end("tool_calls"), "", ""},
		{"nothing", "", skill.FaultNetwork, "cut off"},
		{"only an end", "data: [DONE]\n\n", skill.FaultNetwork, "cut off"},
		{"garbage", "\x00\xff\xfe garbage\n\n\n:::\n", skill.FaultNetwork, "cut off"},
		{"no JSON", text("x") + "data: {nope\n\n", skill.FaultProtocol, ""},
		{"JSON of another kind", "data: [1,2]\n\n" + end("stop"), skill.FaultProtocol, ""},
		{"ends early", text("half"), skill.FaultNetwork, "cut off"},
		{"more after the end", text("x") + chunk("{}", "stop") + text("y"), skill.FaultProtocol, "after its end"},
		{"an unknown end", text("x") + end("world_end"), skill.FaultProtocol, `"world_end"`},
		{"given up", text("x") + end("error"), skill.FaultOverloaded, "gave the answer up"},
		{"an end for a call that is not there", text("x") + end("tool_calls"), skill.FaultProtocol, "there is none"},
		{"a call without a name", call(`"index":0,"id":"a",`, "", "{}") + end("tool_calls"), skill.FaultProtocol, "without a name"},
		{"a call that changes its name", call(`"index":0,"id":"a",`, "look", `{"a":`) + call(`"index":0,"id":"a",`, "other", `1}`) + end("tool_calls"), skill.FaultProtocol, "goes on as other"},
		{"calls without end", func() (s string) {
			for i := range 200 {
				s += call(fmt.Sprintf(`"index":%d,"id":"a%d",`, i, i), "look", "{}")
			}
			return s
		}() + end("tool_calls"), skill.FaultProtocol, "over 128 calls"},
		{"arguments without end", strings.Repeat(call(`"index":0,"id":"a",`, "look", big), 5), skill.FaultProtocol, "over 4194304 bytes"},
		{"thoughts without end", strings.Repeat(chunk(fmt.Sprintf(`{"reasoning_content":%q}`, big), "null"), 5), skill.FaultProtocol, "thoughts are over"},
		{"a name without end", strings.Repeat(call(`"index":0,"id":"a",`, strings.Repeat("n", 600), ""), 3) + call(`"index":0,"id":"a",`, "b", "") + strings.Repeat(call(`"index":0,"id":"a",`, strings.Repeat("m", 600), ""), 3) + end("tool_calls"), skill.FaultProtocol, "over 4194304 bytes"},
		{"bytes without end", strings.Repeat(": "+big+"\n", 40), skill.FaultProtocol, "over 33554432 bytes"},
		{"a line without end", "data: " + strings.Repeat("x", 40<<20), skill.FaultProtocol, "over 33554432 bytes"},
		{"an error in words", text("x") + `data: {"error":"no"}` + "\n\n", skill.FaultOverloaded, "no"},
		{"an error that is null", `data: {"error":null,"choices":[]}` + "\n\n", skill.FaultOverloaded, ""},
		{"an error of many words", `data: {"error":{"message":"` + big + `"}}` + "\n\n", skill.FaultOverloaded, "xxx..."},
		{"another answer than the first", strings.ReplaceAll(text("other"), `"index":0`, `"index":1`) + text("ok") + end("stop"), "", "ok"},
		{"no end mark", text("ok") + chunk("{}", "stop"), "", "ok"},
		{"counts that are none", text("ok") + `data: {"choices":[],"usage":{"prompt_tokens":-5,"completion_tokens":9223372036854775807,"prompt_tokens_details":null}}` + "\n\n" + end("stop"), "", "ok"},
		{"negative index", call(`"index":-7,"id":"a",`, "look", "{}") + end("tool_calls"), "", ""},
	}
}
