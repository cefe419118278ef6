package docsearch

import (
	"context"
	"time"

	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/freshness"
)

// A SourceState is how a document's source compares with what was taken in, by size and time.
type SourceState string

// The states of a source.
const (
	SourceSame    SourceState = "same"
	SourceChanged SourceState = "changed" // another size or time: add it again
	SourceGone    SourceState = "gone"    // there is no such file
	SourceUnknown SourceState = "unknown" // it is no file, or cannot be looked at
)

// A SourceCheck is what [Library.CheckSources] saw.
type SourceCheck struct {
	Documents int      `json:"documents"` // documents compared
	Unknown   int      `json:"unknown"`   // documents of them that did not come from files, or whose files cannot be looked at
	Changed   int      `json:"changed"`   // documents whose file has another size or time
	Gone      int      `json:"gone"`      // documents whose file is not there
	Examples  []string `json:"examples"`  // names of some that changed or are gone, at most 20; never nil
	Complete  bool     `json:"complete"`  // every document was compared: false when the time was over
}

// CheckSources compares the files that documents came from with the disk, by size and time, without reading them. It ends after the time limit, 0 meaning
// none; what it saw becomes the [Freshness] of the answers that follow, when it is complete. A file of JSON Lines is looked at once, and where its time is
// another one all its documents count as changed. Documents added since it began may be left out.
func (l *Library) CheckSources(ctx context.Context, limit time.Duration) (*SourceCheck, error) {
	c, err := l.docs.Current(ctx)
	if err != nil {
		return nil, err
	}
	out, err := l.sources.All(ctx, c, limit)
	return (*SourceCheck)(out), err
}

// lookTime bounds the time that a search takes for looking at the files of what it found.
const lookTime = 5 * time.Millisecond

// look says of the hits, which are of the documents in found, whether their files changed.
func (l *Library) look(res *Results, c *catalog.Catalog, found []*catalog.Entry) {
	begin := time.Now()
	f := &res.Freshness
	for i, e := range found {
		state := freshness.Unknown
		if freshness.Lookable(e) {
			if f.Looked > 0 && time.Since(begin) > lookTime {
				continue
			}
			state = l.sources.Of(c, e)
			f.Looked++
		}
		if res.Hits[i].Source = SourceState(state); state == freshness.Changed || state == freshness.Gone {
			f.Stale++
		}
	}
}
