package findspot

import (
	"context"
	"time"

	"github.com/findspot/findspot/docsearch"
)

// lookLimit bounds the look at the files of all documents behind a search that found nothing.
const lookLimit = 2 * time.Second

// fresh reports whether an answer of the documents is as good as their files. A search that found nothing is believed only
// when the files were looked at for it, all of them, and are what was indexed: that the index was fresh when the documents
// were added says nothing about today.
func (w *Workspace) fresh(ctx context.Context, res *docsearch.Results) bool {
	if res.Total > 0 {
		return !res.Freshness.Checked.IsZero() && res.Freshness.Changed == 0
	}
	lib, err := w.Docs(ctx)
	if err != nil {
		return false
	}
	seen, err := lib.CheckSources(ctx, lookLimit)
	return err == nil && seen.Complete && seen.Changed == 0 && seen.Gone == 0 && seen.Unknown == 0
}
