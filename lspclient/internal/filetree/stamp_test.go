package filetree

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestStampYoung(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	look := func(was stamp, young bool, now time.Time) (stamp, bool) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return restamp(path, was, young, info, now)
	}
	if err := os.WriteFile(path, []byte("one"), 0o644); err != nil {
		t.Fatal(err)
	}
	first, young := look(stamp{}, false, time.Now())
	if !young || first.sum == 0 {
		t.Fatalf("a new file is not young: %+v", first)
	}
	later := time.Now().Add(time.Minute)
	if st, young := look(first, true, later); young || st != first {
		t.Errorf("an old file is %+v, young %v, want %+v", st, young, first)
	}
	if err := os.WriteFile(path, []byte("two"), 0o644); err != nil {
		t.Fatal(err)
	}
	// As if the clock had not ticked between the writes.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	now := stampOf(info)
	first.ctime, first.Mtime = now.ctime, now.Mtime
	if st, _ := look(first, true, later); st == first {
		t.Error("a file written within the tick is not seen to have changed")
	}
	if st, young := look(stamp{}, false, later); young || st.sum != 0 {
		t.Errorf("an old file was read: %+v", st)
	}
}
