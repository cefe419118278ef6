package api

import (
	"context"
	"errors"

	"github.com/findspot/findspot"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/lspclient"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
)

// maxPlaces bounds the places of an answer of a language server.
const maxPlaces = 10_000

// unserved makes the errors of language servers those of what is there: a workspace without servers is no fault of the request.
func unserved(err error) error {
	if errors.Is(err, findspot.ErrUnsupported) {
		return connect.NewError(connect.CodeFailedPrecondition, err)
	}
	return asked(err)
}

func target(name, path string, line, col int32) (lspclient.Target, error) {
	switch {
	case name != "" && path == "":
		return lspclient.Named(name), nil
	case name == "" && path != "" && line > 0:
		return lspclient.At(path, int(line), int(col)), nil
	}
	return lspclient.Target{}, invalid(`give "name", or "path" with "line" and "col"`)
}

// about answers a question about a symbol.
func about[M any, P interface {
	*M
	proto.Message
}, R any](ctx context.Context, h servers, r *v1.TargetRequest, question func(context.Context, lspclient.Target, int) (R, error)) (P, error) {
	t, err := target(r.Name, r.Path, r.Line, r.Col)
	if err != nil {
		return nil, err
	}
	limit, err := within("limit", r.Limit, maxPlaces)
	if err != nil {
		return nil, err
	}
	res, err := question(ctx, t, limit)
	if err != nil {
		return nil, unserved(err)
	}
	return message.Fill[M, P](res, h.mask()), nil
}

// places answers one of the questions that take the same options.
func places(ctx context.Context, h servers, r *v1.TargetRequest, ask func(context.Context, lspclient.Target, *lspclient.QueryOptions) (*findspot.Places, error)) (*v1.Places, error) {
	return about[v1.Places](ctx, h, r, func(ctx context.Context, t lspclient.Target, limit int) (*findspot.Places, error) {
		return ask(ctx, t, &lspclient.QueryOptions{Limit: limit, Paths: r.Paths})
	})
}

// servers has the methods that ask language servers.
type servers struct{ *Service }

func (h servers) Definition(ctx context.Context, r *v1.TargetRequest) (*v1.Places, error) {
	return places(ctx, h, r, h.ws.Definition)
}

func (h servers) Implementation(ctx context.Context, r *v1.TargetRequest) (*v1.Places, error) {
	return places(ctx, h, r, h.ws.Implementation)
}

func (h servers) TypeDefinition(ctx context.Context, r *v1.TargetRequest) (*v1.Places, error) {
	return places(ctx, h, r, h.ws.TypeDefinition)
}

func (h servers) References(ctx context.Context, r *v1.TargetRequest) (*v1.Places, error) {
	return about[v1.Places](ctx, h, r, func(ctx context.Context, t lspclient.Target, limit int) (*findspot.Places, error) {
		return h.ws.References(ctx, t, &lspclient.ReferenceOptions{Declaration: r.Declaration, Limit: limit, Paths: r.Paths})
	})
}

func (h servers) Hover(ctx context.Context, r *v1.TargetRequest) (*v1.HoverText, error) {
	return about[v1.HoverText](ctx, h, r, func(ctx context.Context, t lspclient.Target, _ int) (*findspot.Hover, error) {
		return h.ws.Hover(ctx, t)
	})
}

// calls answers who calls, or what is called.
func calls(ctx context.Context, h servers, r *v1.TargetRequest, ask func(context.Context, lspclient.Target, *lspclient.QueryOptions) (*findspot.CallList, error)) (*v1.CallList, error) {
	return about[v1.CallList](ctx, h, r, func(ctx context.Context, t lspclient.Target, limit int) (*findspot.CallList, error) {
		return ask(ctx, t, &lspclient.QueryOptions{Limit: limit, Paths: r.Paths})
	})
}

func (h servers) IncomingCalls(ctx context.Context, r *v1.TargetRequest) (*v1.CallList, error) {
	return calls(ctx, h, r, h.ws.IncomingCalls)
}

func (h servers) OutgoingCalls(ctx context.Context, r *v1.TargetRequest) (*v1.CallList, error) {
	return calls(ctx, h, r, h.ws.OutgoingCalls)
}

func (h servers) Symbols(ctx context.Context, r *v1.SymbolsRequest) (*v1.FileSymbols, error) {
	if r.Path == "" {
		return nil, invalid(`"path" is empty`)
	}
	res, err := h.ws.Symbols(ctx, r.Path)
	if err != nil {
		return nil, unserved(err)
	}
	return message.Fill[v1.FileSymbols](res, h.mask()), nil
}

func (h servers) WorkspaceSymbols(ctx context.Context, r *v1.WorkspaceSymbolsRequest) (*v1.SymbolList, error) {
	limit, err := within("limit", r.Limit, maxPlaces)
	if err != nil {
		return nil, err
	}
	res, err := h.ws.WorkspaceSymbols(ctx, r.Query, &lspclient.QueryOptions{Limit: limit, Paths: r.Paths})
	if err != nil {
		return nil, unserved(err)
	}
	return message.Fill[v1.SymbolList](res, h.mask()), nil
}

func (h servers) Diagnostics(ctx context.Context, r *v1.DiagnosticsRequest) (*v1.DiagnosticList, error) {
	if r.Path == "" {
		return nil, invalid(`"path" is empty`)
	}
	limit, err := within("limit", r.Limit, maxPlaces)
	if err != nil {
		return nil, err
	}
	res, err := h.ws.Diagnostics(ctx, r.Path, &lspclient.DiagnosticOptions{Limit: limit, Severity: r.Severity})
	if err != nil {
		return nil, unserved(err)
	}
	return message.Fill[v1.DiagnosticList](res, h.mask()), nil
}

func (h servers) Rename(ctx context.Context, r *v1.RenameRequest) (*v1.Renaming, error) {
	t, err := target(r.Name, r.Path, r.Line, r.Col)
	if err != nil {
		return nil, err
	}
	if r.NewName == "" {
		return nil, invalid(`"new_name" is empty`)
	}
	res, err := h.ws.Rename(ctx, t, r.NewName, &lspclient.RenameOptions{Context: int(min(r.Context, 100))})
	if err != nil {
		return nil, unserved(err)
	}
	return message.Fill[v1.Renaming](res, h.mask()), nil
}

func (h servers) ListServers(ctx context.Context, _ *v1.ListServersRequest) (*v1.ServerList, error) {
	list, err := h.ws.Servers(ctx)
	if err != nil {
		return nil, unserved(err)
	}
	return &v1.ServerList{Servers: message.Each[v1.ServerStatus](list, h.mask())}, nil
}
