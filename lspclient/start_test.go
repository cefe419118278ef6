package lspclient

import (
	"testing"
	"time"
)

func TestStart(t *testing.T) {
	c, _, _ := fakeClient(t, "", nil)
	got, err := c.Start(t.Context())
	if err != nil || len(got) != 1 {
		t.Fatalf("Start = %+v, %v", got, err)
	}
	if s := got[0]; s.Name != "fakels" || s.Folder != "." || s.Files != 2 || s.State != Complete || s.Problem != "" {
		t.Errorf("Start = %+v, want a ready server of the root", s)
	}
	for _, s := range c.Servers(t.Context()) {
		if s.Running != (s.Name == "fakels") {
			t.Errorf("%s runs: %v", s.Name, s.Running)
		}
	}
}

func TestStartOfWhatCannotBe(t *testing.T) {
	c, _, _ := fakeClient(t, "initialize late 1h", &Options{Timeout: 300 * time.Millisecond})
	got, err := c.Start(t.Context())
	if err != nil || len(got) != 1 || got[0].Problem == "" || got[0].State == Complete {
		t.Errorf("Start of a server that never answers = %+v, %v; want its problem", got, err)
	}
	none, err := Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	if got, err := none.Start(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("Start of an empty folder = %+v, %v", got, err)
	}
}
