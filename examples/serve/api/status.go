package api

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/examples/serve/internal/hosterr"
)

// status has the methods about the state.
type status struct{ *Service }

func (h status) Status(ctx context.Context, _ *v1.StatusRequest) (*v1.StatusResponse, error) {
	out := &v1.StatusResponse{Version: findspot.Version, Since: timestamppb.New(h.began)}
	for _, f := range findspot.Languages() {
		out.Languages = append(out.Languages, f.Name())
	}
	for _, part := range []func(context.Context, *v1.StatusResponse) error{h.process, h.documents, h.repositories, h.vectors, h.servers} {
		if err := part(ctx, out); err != nil {
			return nil, err
		}
	}
	for _, r := range h.runs.sorted() {
		out.Runs = append(out.Runs, &v1.RunStatus{Skill: r.skill.Name, Started: timestamppb.New(r.began), Waiting: r.asking()})
	}
	return out, nil
}

func (h status) process(ctx context.Context, out *v1.StatusResponse) error {
	if h.opt.Status == nil {
		return nil
	}
	st, err := h.opt.Status(ctx)
	if err != nil {
		return err
	}
	out.Process = &v1.ProcessStatus{
		Version: st.Version, Address: st.Address, Idle: st.Idle.Seconds(), Sessions: int32(st.Sessions), Pid: int32(st.PID),
	}
	if !st.Started.IsZero() {
		out.Process.Started = timestamppb.New(st.Started)
	}
	return nil
}

func (h status) documents(ctx context.Context, out *v1.StatusResponse) error {
	lib, err := h.ws.Docs(ctx)
	if err != nil {
		return err
	}
	for status, n := range map[string]*int32{docsearch.StatusReady: &out.Documents, docsearch.StatusFailed: &out.Failed} {
		list, err := lib.List(ctx, &docsearch.ListOptions{Status: status, Limit: 1})
		if err != nil {
			return err
		}
		*n = int32(list.Total)
		out.Freshness = message.Fill[v1.Freshness](list.Freshness, h.mask())
	}
	collections, err := lib.Collections(ctx)
	if err != nil {
		return err
	}
	out.Collections = message.Each[v1.Collection](collections, h.mask())
	out.Formats = lib.Endings()
	slices.Sort(out.Formats)
	return nil
}

// repositories tells of graphs only where all are open: a question about the state opens none.
func (h status) repositories(ctx context.Context, out *v1.StatusResponse) error {
	repos, err := h.ws.Repos()
	if err != nil {
		return err
	}
	var graphs []*codegraph.Graph
	if !slices.ContainsFunc(repos, func(r findspot.RepoInfo) bool { return r.Changes == nil }) {
		if graphs, err = h.ws.Graphs(ctx); err != nil {
			return err
		}
	}
	for i, r := range repos {
		st := &v1.RepositoryStatus{Name: message.Text(r.Name, h.mask()), Root: message.Text(r.Root, h.mask()), ReadOnly: r.ReadOnly, Open: r.Changes != nil}
		if ch := r.Changes; ch != nil {
			st.Files = int32(ch.Added + ch.Changed + ch.Unchanged)
		}
		if _, err := os.Stat(r.Root); errors.Is(err, fs.ErrNotExist) {
			st.Problem = "its folder is gone, and no code is answered until it is back"
		}
		if i < len(graphs) {
			entities, edges := graphs[i].Len()
			st.Entities, st.Edges = int32(entities), int32(edges)
		}
		out.Repositories = append(out.Repositories, st)
	}
	return nil
}

// vectors tells how far they are, where anything gets vectors.
func (h status) vectors(ctx context.Context, out *v1.StatusResponse) error {
	lib, err := h.ws.Docs(ctx)
	if err != nil {
		return err
	}
	docs, err := lib.EmbedState(ctx)
	switch {
	case err == nil:
		out.DocumentVectors = &v1.VectorStatus{Total: int32(docs.Documents), Done: int32(docs.Done), Running: docs.Running, Error: message.Text(docs.Error, h.mask())}
	case !errors.Is(err, findspot.ErrUnsupported):
		return err
	}
	if slices.ContainsFunc(out.Repositories, func(r *v1.RepositoryStatus) bool { return !r.Open }) {
		return nil // a question about the state opens no graph
	}
	code, err := h.ws.EmbedCodeState(ctx)
	switch {
	case err == nil:
		out.CodeVectors = &v1.VectorStatus{Total: int32(code.Entities), Done: int32(code.Done), Running: code.Running, Error: message.Text(code.Error, h.mask())}
	case !errors.Is(err, findspot.ErrUnsupported):
		return err
	}
	return nil
}

// servers tells of those of the repositories; without any there is nobody to ask.
func (h status) servers(ctx context.Context, out *v1.StatusResponse) error {
	if len(out.Repositories) == 0 {
		return nil
	}
	list, err := h.ws.Servers(ctx)
	if errors.Is(err, findspot.ErrUnsupported) || hosterr.Gone(h.ws, err) != nil { // it has none; or none for what is gone, as the repositories say
		return nil
	}
	out.Servers = message.Each[v1.ServerStatus](list, h.mask())
	return err
}
