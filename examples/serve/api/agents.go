package api

import (
	"context"

	"google.golang.org/protobuf/types/known/structpb"

	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/skill"

	"connectrpc.com/connect"
)

// agents has the methods for agents.
type agents struct{ *Service }

func (h agents) ListTools(context.Context, *v1.ListToolsRequest) (*v1.ToolList, error) {
	out := &v1.ToolList{}
	for _, t := range h.tools {
		spec := t.Spec()
		out.Tools = append(out.Tools, &v1.Tool{
			Name: spec.Name, Description: spec.Description, Schema: message.Plain(spec.Schema, false).GetStructValue(), Writes: t.Writes, AliasOf: t.AliasOf,
		})
	}
	return out, nil
}

func (h agents) CallTool(ctx context.Context, r *v1.CallToolRequest) (*v1.ToolResult, error) {
	args, err := object("args", r.Args)
	if err != nil {
		return nil, err
	}
	t := toolOf(h.tools, r.Name)
	if t == nil {
		return nil, connect.NewError(connect.CodeNotFound, errNoTool(r.Name))
	}
	res, err := t.Call(ctx, args)
	if err != nil {
		return nil, h.errors.ofTool(args, err)
	}
	return message.Fill[v1.ToolResult](res, h.mask()), nil
}

// toolOf is the tool of a name; nil when there is none.
func toolOf(tools []skill.Tool, name string) *skill.Tool {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	return nil
}

func (h agents) Guide(context.Context, *v1.GuideRequest) (*v1.GuideResponse, error) {
	return &v1.GuideResponse{Text: message.Text(h.ws.Guide(), h.mask())}, nil
}

// object is JSON of an object of a request. Binary messages may be nested deeper than JSON may.
func object(name string, s *structpb.Struct) ([]byte, error) {
	if deep(structpb.NewStructValue(s), maxDepth) {
		return nil, invalid("%q is nested more than %d deep", name, maxDepth)
	}
	if s == nil {
		return []byte("{}"), nil
	}
	data, err := s.MarshalJSON()
	if err != nil {
		return nil, invalid("%q: %w", name, err)
	}
	return data, nil
}

func deep(v *structpb.Value, left int) bool {
	if left == 0 {
		return true
	}
	for _, f := range v.GetStructValue().GetFields() {
		if deep(f, left-1) {
			return true
		}
	}
	for _, e := range v.GetListValue().GetValues() {
		if deep(e, left-1) {
			return true
		}
	}
	return false
}
