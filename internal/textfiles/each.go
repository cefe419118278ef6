package textfiles

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// atOnce is how many files Each looks at before their results are passed on, which stay in memory until then.
const atOnce = 64

// Each calls look for every file, on several processors at once, and gives the results in the order of the files. It ends early when ctx does, with its error.
func Each[T any](ctx context.Context, files []*File, look func(*File) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for some := range slices.Chunk(files, atOnce) {
			out := make([]T, len(some))
			var next atomic.Int64
			var workers sync.WaitGroup
			for range min(runtime.GOMAXPROCS(0), len(some)) {
				workers.Go(func() {
					for i := next.Add(1) - 1; i < int64(len(some)) && ctx.Err() == nil; i = next.Add(1) - 1 {
						out[i] = look(some[i])
					}
				})
			}
			workers.Wait()
			if err := ctx.Err(); err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, t := range out {
				if !yield(t, nil) {
					return
				}
			}
		}
	}
}
