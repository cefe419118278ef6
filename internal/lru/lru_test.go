package lru

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCache(t *testing.T) {
	t.Parallel()
	l := New[string, int](100)
	for i, key := range []string{"a", "b", "c", "d"} {
		l.Put(key, i, 25)
	}
	l.Get("a")
	l.Put("e", 4, 20) // b goes, which was used least recently
	l.Put("huge", 5, 26)
	l.Put("e", 6, 25)
	got := map[string]int{}
	for _, key := range []string{"a", "b", "c", "d", "e", "huge"} {
		if v, ok := l.Get(key); ok {
			got[key] = v
		}
	}
	if diff := cmp.Diff(map[string]int{"a": 0, "c": 2, "d": 3, "e": 6}, got); diff != "" || l.bytes != 100 {
		t.Errorf("%d bytes; kept (-want +got):\n%s", l.bytes, diff)
	}
}
