package sentences

import (
	"errors"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHandler(t *testing.T) {
	var got []string
	log := slog.New(New(slog.LevelInfo, func(line string) { got = append(got, line) }))
	log.Debug("docsearch: not said")
	log.Info("docsearch: page skipped", "doc", "a.pdf", "page", 3, "reason", "no text and\nno OCR hook")
	log.Warn("the server stopped")
	log.With("root", "/r").WithGroup("server").Warn("lspclient: restarted", "name", "gopls", "err", errors.New("exit status 2"), "empty", "")
	log.Info("the line has: two parts", slog.Group("at", "line", 1))
	want := []string{
		"page skipped (doc a.pdf, page 3, no text and no OCR hook)",
		"the server stopped",
		"restarted (root /r, server.name gopls, exit status 2)",
		"the line has: two parts (at.line 1)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
