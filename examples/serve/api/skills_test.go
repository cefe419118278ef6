package api_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"

	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/findspotv1/findspotv1connect"
)

func topic(t *testing.T) *structpb.Struct {
	t.Helper()
	in, err := structpb.NewStruct(map[string]any{"topic": "primary synchronization signal"})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestSkills: what there is, and what it takes.
func TestSkills(t *testing.T) {
	w := newWorld(t, nil)
	list, err := w.client().ListSkills(t.Context(), &v1.ListSkillsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(list.Skills, func(s *v1.Skill) bool { return s.Name == "plan-first" && s.Runs && s.Inputs[0].Required }) {
		t.Errorf("ListSkills = %v", list)
	}
	s, err := w.client().GetSkill(t.Context(), &v1.GetSkillRequest{Name: "plan-first"})
	if err != nil || len(s.Steps) != 3 || s.Steps[2].Kind != "approve" || !strings.Contains(s.Body, "Write about") || len(s.Digest) != 64 {
		t.Errorf("GetSkill = %v, %v", s, err)
	}
	if _, err := w.client().GetSkill(t.Context(), &v1.GetSkillRequest{Name: "none"}); connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("GetSkill of none: %v", err)
	}
}

// TestRun: a run tells its steps, waits for its approval, and ends as the person says. By every protocol.
func TestRun(t *testing.T) {
	w := newWorld(t, nil).withPapers()
	for _, p := range protocols {
		for _, approve := range []bool{true, false} {
			c := findspotv1connect.NewFindspotClient(p.http(), w.url, p.opts...)
			stream, err := c.RunSkill(t.Context(), &v1.RunSkillRequest{Name: "plan-first", Inputs: topic(t)})
			if err != nil {
				t.Fatal(err)
			}
			var id string
			var steps []string
			var out *v1.Outcome
			for stream.Receive() {
				switch e := stream.Msg().Event.(type) {
				case *v1.RunEvent_Started:
					id = e.Started.RunId
				case *v1.RunEvent_Record:
					if e.Record.Event == "step_end" {
						steps = append(steps, e.Record.Id+" "+e.Record.Status)
					}
				case *v1.RunEvent_Approval:
					if !strings.Contains(e.Approval.Text, "primary") || id == "" {
						t.Errorf("approval %v of run %q", e.Approval, id)
					}
					for _, bad := range []*v1.DecideRequest{
						{RunId: id, ApprovalId: "x", Approve: true}, {RunId: "x", ApprovalId: e.Approval.ApprovalId, Approve: true}, {RunId: id, ApprovalId: e.Approval.ApprovalId, Choice: "maybe"},
					} {
						if _, err := c.Decide(t.Context(), bad); err == nil {
							t.Errorf("Decide took %v", bad)
						}
					}
					st, err := c.Status(t.Context(), &v1.StatusRequest{})
					if err != nil || len(st.Runs) != 1 || st.Runs[0].Waiting.GetText() == "" {
						t.Errorf("Status: %v, %v", st.GetRuns(), err)
					}
					if _, err := c.Decide(t.Context(), &v1.DecideRequest{RunId: id, ApprovalId: e.Approval.ApprovalId, Approve: approve}); err != nil {
						t.Error(err)
					}
				case *v1.RunEvent_Outcome:
					out = e.Outcome
				}
			}
			want := map[bool]string{true: "done", false: "stopped"}[approve]
			if err := stream.Err(); err != nil || out.GetStatus() != want || len(out.GetItems()) == 0 || !slices.Contains(steps, "refs ok") {
				t.Errorf("%s: %v: steps %v, outcome %v, %v", p.name, approve, steps, out, err)
			}
		}
	}
}

// TestRunEnds: a run ends when it is cancelled, when its client goes, and when the service does.
func TestRunEnds(t *testing.T) {
	w := newWorld(t, nil).withPapers()
	c := w.client()
	start := func(ctx context.Context) (*connect.ServerStreamForClient[v1.RunEvent], string) {
		t.Helper()
		stream, err := c.RunSkill(ctx, &v1.RunSkillRequest{Name: "plan-first", Inputs: topic(t)})
		if err != nil {
			t.Fatal(err)
		}
		id := ""
		for stream.Receive() {
			if s := stream.Msg().GetStarted(); s != nil {
				id = s.RunId
			}
			if stream.Msg().GetApproval() != nil {
				return stream, id
			}
		}
		t.Fatal(stream.Err())
		return nil, ""
	}
	drain := func(s *connect.ServerStreamForClient[v1.RunEvent]) (out *v1.Outcome, err error) {
		for s.Receive() {
			if o := s.Msg().GetOutcome(); o != nil {
				out = o
			}
		}
		return out, s.Err()
	}
	gone := func(when string) {
		t.Helper()
		for range 100 {
			st, err := c.Status(t.Context(), &v1.StatusRequest{})
			if err == nil && len(st.Runs) == 0 {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Errorf("%s: the run goes on", when)
	}

	stream, id := start(t.Context())
	if res, err := c.CancelRun(t.Context(), &v1.CancelRunRequest{RunId: id}); err != nil || !res.Running {
		t.Errorf("CancelRun = %v, %v", res, err)
	}
	if out, err := drain(stream); err != nil || out.GetStatus() != "stopped" {
		t.Errorf("cancelled: %v, %v", out, err)
	}
	gone("cancelled")
	if res, err := c.CancelRun(t.Context(), &v1.CancelRunRequest{RunId: id}); err != nil || res.Running {
		t.Errorf("CancelRun again = %v, %v", res, err)
	}
	if _, err := c.Decide(t.Context(), &v1.DecideRequest{RunId: id, ApprovalId: "1"}); connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("Decide of a run that ended: %v", err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	stream, _ = start(ctx)
	cancel()
	_, _ = drain(stream)
	gone("the client went")

	stream, _ = start(t.Context())
	if err := w.api.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := drain(stream); connect.CodeOf(err) != connect.CodeUnavailable {
		t.Errorf("the service ends: %v", err)
	}
	gone("the service ended")
	after, err := c.RunSkill(t.Context(), &v1.RunSkillRequest{Name: "plan-first", Inputs: topic(t)})
	if err == nil {
		_, err = drain(after)
	}
	if connect.CodeOf(err) != connect.CodeUnavailable {
		t.Errorf("a run after the end: %v", err)
	}
}

// TestRunRefused: a run that cannot begin says why.
func TestRunRefused(t *testing.T) {
	w := newWorld(t, nil)
	for name, want := range map[string]connect.Code{"none": connect.CodeNotFound, "plan-first": connect.CodeInvalidArgument} {
		stream, err := w.client().RunSkill(t.Context(), &v1.RunSkillRequest{Name: name}) // plan-first needs an input
		if err == nil {
			for stream.Receive() {
			}
			err = stream.Err()
		}
		if connect.CodeOf(err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
