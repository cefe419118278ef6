package skill_test

import (
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
)

func pieces(last error, ds ...*skill.Delta) iter.Seq2[*skill.Delta, error] {
	return func(yield func(*skill.Delta, error) bool) {
		for _, d := range ds {
			if !yield(d, nil) {
				return
			}
		}
		if last != nil {
			yield(nil, last)
		}
	}
}

func TestCollect(t *testing.T) {
	broken := errors.New("broken")
	call := skill.ToolCall{ID: "1", Name: "read", Args: json.RawMessage(`{"path":"a"}`)}
	many := make([]*skill.Delta, 129)
	for i := range many {
		many[i] = &skill.Delta{Call: &call}
	}
	for _, tt := range []struct {
		name    string
		in      iter.Seq2[*skill.Delta, error]
		want    *skill.Reply
		wantErr error
	}{
		{
			"all of it",
			pieces(nil, &skill.Delta{Text: "a ", Model: "m-1", Usage: &skill.Usage{Input: 7}}, nil, &skill.Delta{Text: "b"}, &skill.Delta{Call: &call},
				&skill.Delta{Usage: &skill.Usage{Input: 7, Output: 3, Cached: 5}, State: json.RawMessage(`[1]`), Stop: skill.StopTools}),
			&skill.Reply{
				Text: "a b", Calls: []skill.ToolCall{call}, Model: "m-1", Usage: skill.Usage{Input: 7, Output: 3, Cached: 5},
				State: json.RawMessage(`[1]`), Stop: skill.StopTools,
			}, nil,
		},
		{"what came before an error", pieces(broken, &skill.Delta{Text: "a"}), &skill.Reply{Text: "a"}, broken},
		{
			"a text without end", pieces(nil, &skill.Delta{Text: strings.Repeat("x", 4<<20)}, &skill.Delta{Text: "y"}),
			&skill.Reply{Text: strings.Repeat("x", 4<<20)}, skill.ErrTooLarge,
		},
		{"too much state", pieces(nil, &skill.Delta{State: make(json.RawMessage, 4<<20+1)}), &skill.Reply{}, skill.ErrTooLarge},
		{
			"arguments without end", pieces(nil, &skill.Delta{Call: &skill.ToolCall{Args: make(json.RawMessage, 4<<20+1)}}),
			&skill.Reply{}, skill.ErrTooLarge,
		},
	} {
		got, err := skill.Collect(tt.in)
		if !errors.Is(err, tt.wantErr) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.wantErr)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, diff)
		}
	}
	if got, err := skill.Collect(pieces(nil, many...)); !errors.Is(err, skill.ErrTooLarge) || len(got.Calls) != 128 {
		t.Errorf("129 calls: %d kept, error %v", len(got.Calls), err)
	}
}

func TestReplyErr(t *testing.T) {
	for _, tt := range []struct {
		stop, want string
	}{
		{skill.StopEnd, ""}, {skill.StopTools, ""}, {skill.StopPause, ""}, {"", ""},
		{skill.StopLength, skill.FaultCutOff}, {skill.StopRefusal, skill.FaultRefused},
	} {
		var e *skill.ModelError
		err := (&skill.Reply{Text: "no", Stop: tt.stop}).Err()
		if got := errors.As(err, &e); got != (tt.want != "") || got && e.Fault != tt.want {
			t.Errorf("stop %q: %v, want the fault %q", tt.stop, err, tt.want)
		}
	}
}

func TestModelError(t *testing.T) {
	e := &skill.ModelError{
		Fault: skill.FaultRateLimit, Provider: "anthropic", Model: "m", Status: 429, Kind: "rate_limit_error",
		Text: "slow down", After: 20 * time.Second, Request: "req_1", Tries: 3,
	}
	want := "anthropic m: rate limit (status 429, rate_limit_error, asks to wait 20s, tried 3 times, request req_1): slow down"
	if e.Error() != want {
		t.Errorf("Error() = %s\nwant      %s", e, want)
	}
	if !e.Temporary() || e.Code() != "rate_limit" {
		t.Error("a rate limit is temporary")
	}
	for fault, target := range map[string]error{
		skill.FaultTooLong: skill.ErrTooLarge, skill.FaultNotFound: skill.ErrNotFound, skill.FaultProtocol: skill.ErrFormat,
	} {
		e := &skill.ModelError{Fault: fault}
		if !errors.Is(e, target) || e.Temporary() {
			t.Errorf("%v is not permanent, or does not wrap %v", e, target)
		}
	}
}

func TestToolCallCheck(t *testing.T) {
	for args, ok := range map[string]bool{
		`{}`: true, `{"a":[1]}`: true, ``: false, `null`: false, `"{\"a\":"`: false, `[1]`: false, `{"a":`: false, `{} {}`: false,
	} {
		err := (&skill.ToolCall{Name: "read", Args: json.RawMessage(args)}).Check()
		if (err == nil) != ok || err != nil && !errors.Is(err, skill.ErrFormat) {
			t.Errorf("Check of %q: %v", args, err)
		}
	}
}
