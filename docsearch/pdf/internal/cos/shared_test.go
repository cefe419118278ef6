package cos

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
)

// Many may read one file at once, also one that has to be scanned on the way. The race detector watches.
func TestConcurrent(t *testing.T) {
	locked, err := os.ReadFile("testdata/aes-128-streams.pdf")
	if err != nil {
		t.Fatal(err)
	}
	many := onePage()
	for i := 10; i < 60; i++ {
		many[i] = fmt.Sprintf("<</N %d/A[1 2 3 (string)]>>", i)
	}
	good := many.pdf("")
	for name, data := range map[string][]byte{
		"table": good, "streams": many.packed(""), "encrypted": locked,
		"wrong offset": bytes.Replace(good, []byte(fmt.Sprintf("%010d 00000 n", bytes.Index(good, []byte("4 0 obj")))), []byte("0000000011 00000 n"), 1),
	} {
		t.Run(name, func(t *testing.T) {
			f, err := openBytes(data, &Options{Password: "user"})
			if err != nil {
				t.Fatal(err)
			}
			want, err := content(t, f)
			if err != nil {
				t.Fatal(err)
			}
			if f, err = openBytes(data, &Options{Password: "user", Note: func(error) {}}); err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					nums, err := f.Numbers(context.Background(), true)
					if err != nil {
						t.Error(err)
					}
					for _, n := range nums {
						f.Resolve(context.Background(), Ref{Num: n})
					}
					if got, err := content(t, f); got != want || err != nil {
						t.Errorf("the page shows %q, %v; want %q", got, err, want)
					}
				})
			}
			wg.Wait()
		})
	}
}
