package mcphandler

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// titles are the names of tools for people. Another name of a tool has that tool's.
var titles = map[string]string{
	"search_internal": "Search documents", "list_documents": "List documents", "show_document": "Show a document's metadata", "read_abstract": "Read an abstract",
	"read_section": "Read a section", "read_file": "Read a file", "view_file": "View lines of a file", "search_file": "Search one file",
	"search_entity": "Search code", "locate": "Locate an issue in code", "traverse_graph": "Walk the code graph", "retrieve_entity": "Read code",
	"references": "Find callers and uses", "lsp_definition": "Go to definition", "lsp_references": "Find references", "document_symbols": "List a file's symbols",
	"lsp_type_definition": "Go to type definition", "lsp_implementation": "Find implementations", "lsp_workspace_symbols": "Find symbols", "lsp_hover": "Show signature and documentation",
	"lsp_calls": "Show calls", "lsp_diagnostics": "Show diagnostics", "lsp_rename": "Preview a renaming", "lsp_servers": "Show language servers",
	"search_text": "Search text of files", "read": "Read what was found", "index": "Show or update the index", "ask": "Gather an answer's pieces",
	"verify_answer": "Check an answer", "cite": "Find the evidence of a sentence", "recheck_answer": "Look at an answer again", "mark_pdf": "Highlight texts in a PDF",
	"search_knowledge_base": "Search the knowledge base", "write_file": "Write a file", "run_command": "Run a command", runSkill: "Run the skill",
}

// withoutForm are the tools whose answer is a text and has no structured form.
var withoutForm = map[string]bool{"lsp_hover": true, "get_diagnostics_for_file": false, "write_file": true, "run_command": true}

// outputSchema is that of the structured form of every answer: what the text says, in parts.
var outputSchema = json.RawMessage(`{"type":"object","properties":{"head":{"type":"string"},"items":{"type":"object","additionalProperties":{"type":"string"}},` +
	`"text":{"type":"string"},"cut":{"type":"string"},"verdict":{"type":"string"}}}`)

// title is the name of a tool for people.
func title(t skill.Tool) string {
	if s := titles[t.Name]; s != "" {
		return s
	}
	if s := titles[t.AliasOf]; s != "" {
		return s
	}
	words := strings.ReplaceAll(t.Name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// structured reports whether a tool's answers have a structured form at all times: under a skill they may not, as its run gives other keys.
func (h *Handler) structured(t skill.Tool) bool {
	return h.skill == nil && !withoutForm[t.Name] && !withoutForm[t.AliasOf]
}

// addTools offers the tools. What they do is looked up in the session of each call.
func (h *Handler) addTools() error {
	for _, t := range findspot.DescribeTools(&h.opt.Tools) {
		d, err := definition(t)
		if err != nil {
			return err
		}
		if h.structured(t) {
			d.OutputSchema = outputSchema
		}
		h.server.AddTool(d, h.call(t.Name, d.OutputSchema != nil))
	}
	if h.skill != nil {
		h.server.AddTool(skillTool(h.skill), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s, err := h.session(ctx, req.Session)
			if err != nil {
				return nil, err
			}
			return s.runSkill(ctx, req)
		})
	}
	return nil
}

// definition is the tool as the library defines it for this protocol, with a title.
func definition(tool skill.Tool) (*mcp.Tool, error) {
	data, err := tool.Definition(skill.FormatMCP)
	if err != nil {
		return nil, err
	}
	var schema struct {
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	t := &mcp.Tool{}
	if err := errors.Join(json.Unmarshal(data, t), json.Unmarshal(data, &schema)); err != nil {
		return nil, err
	}
	t.InputSchema = schema.InputSchema // as it is: a map would lose the order of the arguments
	t.Title = title(tool)
	return t, nil
}

// call calls a tool of the client's session. What goes wrong in it is an answer to the model, so that it can mend its call.
func (h *Handler) call(name string, form bool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s, err := h.session(ctx, req.Session)
		if err != nil {
			return nil, err
		}
		defer h.opt.Feed.report(ctx, req.Session, req.Params, name)()
		return h.calls.do(ctx, name, func(ctx context.Context) (*mcp.CallToolResult, error) {
			return s.answer(ctx, h.observed(s.tools[name]), req.Params.Arguments, form), nil
		})
	}
}

// observed is a tool whose calls are told of.
func (h *Handler) observed(tool skill.Tool) skill.Tool {
	if h.opt.Observe == nil {
		return tool
	}
	call := tool.Call
	tool.Call = func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
		ctx, done := h.opt.Observe(ctx, tool.Name)
		res, err := call(ctx, args)
		done(err)
		return res, err
	}
	return tool
}

// answer is what a tool says, form whether its definition promises a structured form.
func (s *session) answer(ctx context.Context, tool skill.Tool, args json.RawMessage, form bool) *mcp.CallToolResult {
	res, err := tool.Call(ctx, args)
	if denied, ok := errors.AsType[*skill.DeniedError](err); ok {
		return failed(s.held.next(denied))
	}
	if err != nil { // it may quote what was read
		return failed(errors.New(evidence.Mark(s.h.tell(ctx, tool.Name, args, err).Error())))
	}
	out := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: res.Text}}, StructuredContent: res.Structured}
	if form && res.Structured == nil { // a hook of the host took it away: clients refuse an answer without
		out.StructuredContent = map[string]string{"text": res.Text}
	}
	return out
}

func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
}
