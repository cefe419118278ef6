package mcphandler

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
)

// The official suite calls tools, resources and prompts of its own names. addFixtures adds them to the server of a handler: what serves them is the
// handler's, from the transport to the bounds of calls, its progress and its log.

type fixture = func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error)

func said(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

func says(c ...mcp.Content) fixture {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: c}, nil
	}
}

func decoded(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

var (
	dot     = decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
	silence = decoded("UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=")
)

func embedded(uri string) mcp.Content {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "This is an embedded resource."}}
}

// form is the schema of a form with these properties.
func form(properties map[string]any, required ...string) map[string]any {
	out := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

func text1(name string) map[string]any {
	return form(map[string]any{name: map[string]any{"type": "string"}}, name)
}

func argument(req *mcp.CallToolRequest, name string) string {
	var args map[string]any
	_ = json.Unmarshal(req.Params.Arguments, &args)
	s, _ := args[name].(string)
	return s
}

// elicits asks the person and says what the answer was.
func elicits(prefix string, message func(*mcp.CallToolRequest) string, schema map[string]any) fixture {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: message(req), RequestedSchema: schema})
		if err != nil {
			return failed(err), nil
		}
		data, err := json.Marshal(res.Content)
		return said("%s: action=%s, content=%s", prefix, res.Action, data), err
	}
}

func accepted(req mcp.InputResponseMap, key string) map[string]any {
	res, ok := req[key].(*mcp.ElicitResult)
	if !ok || res.Action != "accept" {
		return nil
	}
	return res.Content
}

func sampled(m mcp.InputResponseMap, key string) (string, bool) {
	res, ok := m[key].(*mcp.CreateMessageWithToolsResult)
	if !ok || len(res.Content) == 0 {
		return "", false
	}
	text, _ := res.Content[0].(*mcp.TextContent)
	return text.Text, true
}

func wants(state string, m mcp.InputRequestMap) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{InputRequests: m, RequestState: state}, nil
}

func askName() *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "What is your name?", RequestedSchema: text1("name")}
}

func asksModel(text string, most int64) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}, MaxTokens: most}
}

func enum(values ...string) map[string]any { return map[string]any{"type": "string", "enum": values} }

func choices(values ...string) []map[string]any {
	var out []map[string]any
	for i, v := range values {
		out = append(out, map[string]any{"const": v, "title": fmt.Sprintf("Choice %d", i+1)})
	}
	return out
}

// manySchema has what the suite looks for in a schema: it must come to the client as it is.
const manySchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`

func fixtureTools(h *Handler) map[string]fixture {
	feed := h.opt.Feed
	nothing := func(string) func(*mcp.CallToolRequest) string {
		return func(*mcp.CallToolRequest) string { return "Please fill in the form" }
	}("")
	confirmed := func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if state := req.Params.RequestState; state != "" && state != "minted" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this requestState is not one of ours"}
		} else if state != "" && accepted(req.Params.InputResponses, "confirm") != nil {
			return said("state-ok"), nil
		}
		return wants("minted", mcp.InputRequestMap{"confirm": &mcp.ElicitParams{Message: "Please confirm", RequestedSchema: form(map[string]any{"ok": map[string]any{"type": "boolean"}}, "ok")}})
	}
	return map[string]fixture{
		"test_simple_text":            says(&mcp.TextContent{Text: "This is a simple text response for testing."}),
		"test_image_content":          says(&mcp.ImageContent{Data: dot, MIMEType: "image/png"}),
		"test_audio_content":          says(&mcp.AudioContent{Data: silence, MIMEType: "audio/wav"}),
		"test_embedded_resource":      says(embedded("test://embedded-resource")),
		"test_multiple_content_types": says(&mcp.TextContent{Text: "Several kinds"}, &mcp.ImageContent{Data: dot, MIMEType: "image/png"}, embedded("test://mixed-content-resource")),
		"json_schema_2020_12_tool":    says(&mcp.TextContent{Text: "called"}),
		"test_x_mcp_header":           says(&mcp.TextContent{Text: "called"}),
		"test_error_handling": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return failed(errors.New("this tool intentionally returns an error for testing")), nil
		},
		"test_tool_with_logging": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
				feed.Logger().Info(text)
				time.Sleep(50 * time.Millisecond)
			}
			return said("logged"), nil
		},
		"test_tool_with_progress": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for _, done := range []int{1, 50, 100} {
				feed.Progress(findspot.Progress{Room: "docs", Done: done, Total: 100})
				time.Sleep(reportEvery * 5 / 4)
			}
			return said("done"), nil
		},
		"test_sampling": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, err := req.Session.CreateMessage(ctx, asksModel(argument(req, "prompt"), 100))
			if err != nil {
				return failed(err), nil
			}
			text, _ := res.Content.(*mcp.TextContent)
			return said("LLM response: %s", text.Text), nil
		},
		"test_elicitation": elicits("User response", func(r *mcp.CallToolRequest) string { return argument(r, "message") },
			form(map[string]any{"username": map[string]any{"type": "string"}, "email": map[string]any{"type": "string"}}, "username", "email")),
		"test_elicitation_sep1034_defaults": elicits("Elicitation completed", nothing, form(map[string]any{
			"name": map[string]any{"type": "string", "default": "John Doe"}, "age": map[string]any{"type": "integer", "default": 30},
			"score": map[string]any{"type": "number", "default": 95.5}, "verified": map[string]any{"type": "boolean", "default": true},
			"status": map[string]any{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"}})),
		"test_elicitation_sep1330_enums": elicits("Elicitation completed", nothing, form(map[string]any{
			"untitledSingle": enum("option1", "option2", "option3"), "titledSingle": map[string]any{"type": "string", "oneOf": choices("value1", "value2", "value3")},
			"legacyEnum":    map[string]any{"type": "string", "enum": []string{"opt1", "opt2", "opt3"}, "enumNames": []string{"Option One", "Option Two", "Option Three"}},
			"untitledMulti": map[string]any{"type": "array", "items": enum("option1", "option2", "option3")},
			"titledMulti":   map[string]any{"type": "array", "items": map[string]any{"anyOf": choices("value1", "value2", "value3")}}})),
		"test_reconnection": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.Extra != nil && req.Extra.CloseSSEStream != nil {
				req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 20 * time.Millisecond})
			}
			time.Sleep(200 * time.Millisecond) // the client connects again meanwhile
			return said("the client came back"), nil
		},
		"test_missing_capability": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if c := req.ClientCapabilities(); c == nil || c.Sampling == nil {
				data, err := json.Marshal(map[string]any{"requiredCapabilities": map[string]any{"sampling": map[string]any{}}})
				if err != nil {
					return nil, err
				}
				return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client has no sampling", Data: data}
			}
			return said("it has sampling"), nil
		},
		"test_streaming_elicitation": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			feed.Progress(findspot.Progress{Room: "code", Done: 1, Total: 2})
			time.Sleep(reportEvery * 5 / 4)
			return said("streamed"), nil
		},
		"test_logging_tool": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return said("logged"), req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "test_logging_tool"})
		},
		"test_trigger_tool_change": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			h.server.AddTool(&mcp.Tool{Name: "another", Description: "Added later", InputSchema: form(map[string]any{})}, says())
			return said("changed"), nil
		},
		"test_trigger_prompt_change": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			h.server.AddPrompt(&mcp.Prompt{Name: "another", Description: "Added later"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{}, nil
			})
			return said("changed"), nil
		},
		"test_input_required_result_elicitation": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if name, _ := accepted(req.Params.InputResponses, "user_name")["name"].(string); name != "" {
				return said("Hello, %s!", name), nil
			}
			return wants("", mcp.InputRequestMap{"user_name": askName()})
		},
		"test_input_required_result_sampling": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if text, ok := sampled(req.Params.InputResponses, "capital_question"); ok {
				return said("%s", text), nil
			}
			return wants("", mcp.InputRequestMap{"capital_question": asksModel("What is the capital of France?", 100)})
		},
		"test_input_required_result_list_roots": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if res, ok := req.Params.InputResponses["client_roots"].(*mcp.ListRootsResult); ok {
				var uris []string
				for _, r := range res.Roots {
					uris = append(uris, r.URI)
				}
				return said("roots: %s", strings.Join(uris, " ")), nil
			}
			return wants("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}})
		},
		"test_input_required_result_request_state":  confirmed,
		"test_input_required_result_tampered_state": confirmed,
		"test_input_required_result_multiple_inputs": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			in := req.Params.InputResponses
			greeting, ok := sampled(in, "greeting")
			_, roots := in["client_roots"].(*mcp.ListRootsResult)
			if name := accepted(in, "user_name"); name != nil && ok && roots {
				return said("%s %v", greeting, name["name"]), nil
			}
			return wants("several", mcp.InputRequestMap{"user_name": askName(), "greeting": asksModel("Generate a greeting", 50), "client_roots": &mcp.ListRootsParams{}})
		},
		"test_input_required_result_multi_round": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			switch req.Params.RequestState {
			case "":
				return wants("one", mcp.InputRequestMap{"step1": &mcp.ElicitParams{Message: "Step 1: What is your name?", RequestedSchema: text1("name")}})
			case "one":
				return wants("two", mcp.InputRequestMap{"step2": &mcp.ElicitParams{Message: "Step 2: What is your favorite color?", RequestedSchema: text1("color")}})
			}
			return said("a colour: %v", accepted(req.Params.InputResponses, "step2")["color"]), nil
		},
		"test_input_required_result_capabilities": func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if len(req.Params.InputResponses) > 0 {
				return said("answered"), nil
			}
			m := mcp.InputRequestMap{}
			if c := req.ClientCapabilities(); c != nil {
				if c.Elicitation != nil {
					m["user_name"] = askName()
				}
				if c.Sampling != nil {
					m["greeting"] = asksModel("Generate a greeting", 50)
				}
			}
			if len(m) == 0 {
				return said("the client can be asked nothing"), nil
			}
			return wants("", m)
		},
	}
}

func addFixtures(h *Handler) {
	for name, f := range maps.All(fixtureTools(h)) {
		schema := json.RawMessage(`{"type":"object","properties":{}}`)
		switch name {
		case "json_schema_2020_12_tool":
			schema = json.RawMessage(manySchema)
		case "test_x_mcp_header":
			schema = json.RawMessage(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"level":{"type":"integer"}}}`)
		}
		h.server.AddTool(&mcp.Tool{Name: name, Description: "Of the conformance suite", InputSchema: schema}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if _, err := h.session(ctx, req.Session); err != nil {
				return nil, err
			}
			defer h.opt.Feed.report(ctx, req.Session, req.Params, name)()
			return h.calls.do(ctx, name, func(ctx context.Context) (*mcp.CallToolResult, error) { return f(ctx, req) })
		})
	}
	read := func(c mcp.ResourceContents) mcp.ResourceHandler {
		return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			c := c
			c.URI = req.Params.URI
			id := strings.TrimSuffix(strings.TrimPrefix(c.URI, "test://template/"), "/data")
			c.Text = strings.ReplaceAll(c.Text, "{id}", id)
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&c}}, nil
		}
	}
	h.server.AddResource(&mcp.Resource{URI: "test://static-text", Name: "text", Description: "A text", MIMEType: "text/plain"},
		read(mcp.ResourceContents{MIMEType: "text/plain", Text: "This is the content of the static text resource."}))
	h.server.AddResource(&mcp.Resource{URI: "test://static-binary", Name: "binary", Description: "A picture", MIMEType: "image/png"}, read(mcp.ResourceContents{MIMEType: "image/png", Blob: dot}))
	h.server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template", MIMEType: "application/json"},
		read(mcp.ResourceContents{MIMEType: "application/json", Text: `{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}`}))

	say := func(c ...mcp.Content) *mcp.GetPromptResult {
		out := &mcp.GetPromptResult{}
		for _, c := range c {
			out.Messages = append(out.Messages, &mcp.PromptMessage{Role: "user", Content: c})
		}
		return out
	}
	prompt := func(name string, f func(*mcp.GetPromptRequest) *mcp.GetPromptResult, args ...string) {
		p := &mcp.Prompt{Name: name, Description: "Of the conformance suite"}
		for _, a := range args {
			p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: a, Description: "An argument", Required: true})
		}
		h.server.AddPrompt(p, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { return f(req), nil })
	}
	prompt("test_simple_prompt", func(*mcp.GetPromptRequest) *mcp.GetPromptResult {
		return say(&mcp.TextContent{Text: "This is a simple prompt for testing."})
	})
	prompt("test_prompt_with_arguments", func(r *mcp.GetPromptRequest) *mcp.GetPromptResult {
		return say(&mcp.TextContent{Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", r.Params.Arguments["arg1"], r.Params.Arguments["arg2"])})
	}, "arg1", "arg2")
	prompt("test_prompt_with_embedded_resource", func(r *mcp.GetPromptRequest) *mcp.GetPromptResult {
		return say(embedded(r.Params.Arguments["resourceUri"]), &mcp.TextContent{Text: "Please process the embedded resource above."})
	}, "resourceUri")
	prompt("test_prompt_with_image", func(*mcp.GetPromptRequest) *mcp.GetPromptResult {
		return say(&mcp.ImageContent{Data: dot, MIMEType: "image/png"}, &mcp.TextContent{Text: "Please analyze the image above."})
	})
	prompt("test_input_required_result_prompt", func(r *mcp.GetPromptRequest) *mcp.GetPromptResult {
		if c := accepted(r.Params.InputResponses, "user_context"); c != nil {
			return say(&mcp.TextContent{Text: fmt.Sprintf("Context: %v", c["context"])})
		}
		return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": &mcp.ElicitParams{Message: "What context should the prompt use?", RequestedSchema: text1("context")}}}
	})
}
