package mcphandler

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/workflow"
)

// maxInput bounds the inputs of a prompt, in bytes.
const maxInput = 64 << 10

// addPrompts offers the skills, with their inputs as arguments.
func addPrompts(server *mcp.Server, skills []*skill.Skill, active *skill.Skill) {
	for _, s := range skills {
		p := &mcp.Prompt{Name: s.Name, Title: promptTitle(s.Name), Description: strings.Join(strings.Fields(s.Description), " ")}
		for _, in := range inputsOf(s) {
			p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: in.Name, Description: describe(in), Required: in.Required})
		}
		server.AddPrompt(p, prompt(s, s == active))
	}
}

func promptTitle(name string) string {
	words := strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

func inputsOf(s *skill.Skill) []workflow.Input {
	if s.Workflow() == nil {
		return nil
	}
	return s.Workflow().Inputs
}

// describe says what an input is, its type and its default.
func describe(in workflow.Input) string {
	parts := []string{}
	if in.Description != "" {
		parts = append(parts, in.Description)
	}
	if in.Type != "" {
		parts = append(parts, in.Type)
	}
	if in.Default != nil {
		if data, err := json.Marshal(in.Default); err == nil {
			parts = append(parts, "default "+string(data))
		}
	}
	return strings.Join(parts, "; ")
}

// prompt is a skill as a task for the client's agent: its text, and the inputs. Where the skill is active, run_skill runs its steps.
func prompt(s *skill.Skill, active bool) mcp.PromptHandler {
	return func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		bad := func(format string, args ...any) (*mcp.GetPromptResult, error) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
		}
		var b strings.Builder
		fmt.Fprintf(&b, "Follow the skill %s with the tools of findspot. Do its steps in their order; a step that requires something ends the work where it is not there.\n", s.Name)
		if active {
			b.Reset()
			fmt.Fprintf(&b, "Follow the skill %s, which is active: call %s, which runs its steps, and do what its answers ask.\n", s.Name, runSkill)
		}
		given, size := 0, 0
		for _, in := range inputsOf(s) {
			v, ok := req.Params.Arguments[in.Name]
			if !ok {
				if in.Required {
					return bad("the skill %s needs the argument %s", s.Name, in.Name)
				}
				continue
			}
			if size += len(v); size > maxInput {
				return bad("the arguments have more than %d bytes", maxInput)
			}
			if given++; given == 1 {
				b.WriteString("\nInputs:\n")
			}
			fmt.Fprintf(&b, "- %s: %s\n", in.Name, strings.TrimSpace(v))
		}
		if given < len(req.Params.Arguments) {
			return bad("the skill %s has no such argument: it has %s", s.Name, names(inputsOf(s)))
		}
		if !active {
			b.WriteString("\n" + strings.TrimSpace(s.Body) + "\n")
		}
		return &mcp.GetPromptResult{Description: strings.Join(strings.Fields(s.Description), " "),
			Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: b.String()}}}}, nil
	}
}

func names(list []workflow.Input) string {
	if len(list) == 0 {
		return "none"
	}
	var out []string
	for _, in := range list {
		out = append(out, in.Name)
	}
	return strings.Join(out, ", ")
}
