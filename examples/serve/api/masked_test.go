package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// slowReader notes how many are read at once.
type slowReader struct {
	now, most *atomic.Int32
	text      io.Reader
	begun     bool
}

func (r *slowReader) Read(p []byte) (int, error) {
	if !r.begun {
		r.begun = true
		for n := r.now.Add(1); ; {
			if old := r.most.Load(); n <= old || r.most.CompareAndSwap(old, n) {
				break
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	n, err := r.text.Read(p)
	if err == io.EOF {
		r.now.Add(-1)
	}
	return n, err
}

// TestMaskingBounded: few texts are masked at once, those that are sent take no place, a client that leaves waits no longer, and nothing stays behind.
func TestMaskingBounded(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir) // Windows
	token := "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"
	long := strings.Repeat("a line of text\n", maxHeld/10) + token + "\n"
	m := newMasking()
	var now, most atomic.Int32
	var mu sync.Mutex // guards sent
	var sent []io.ReadSeekCloser
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			text, n, err := m.open(t.Context(), "a.txt", &slowReader{now: &now, most: &most, text: strings.NewReader(long)})
			if err != nil || n != 1 {
				t.Errorf("%d secrets, %v", n, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, text)
		})
	}
	wg.Wait() // no text is closed yet
	if got := most.Load(); got > maxMasking {
		t.Errorf("%d texts at once, want at most %d", got, maxMasking)
	}
	for _, text := range sent {
		if _, ok := text.(*spooled); !ok {
			t.Errorf("a text of %d bytes is held as a %T", len(long), text)
		}
		tail := make([]byte, 60)
		if _, err := text.Seek(-60, io.SeekEnd); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(text, tail); err != nil || bytes.Contains(tail, []byte(token)) || !bytes.Contains(tail, []byte("[masked: ")) {
			t.Errorf("its end is %q, %v", tail, err)
		}
		if err := text.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	for range maxMasking {
		m.places <- struct{}{}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, _, err := m.open(ctx, "a.txt", strings.NewReader(long)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a place: %v", err)
	}
}
