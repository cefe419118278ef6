package questions

import (
	"context"
	"fmt"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbols"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// maxHover bounds the text of a hover, in bytes.
const maxHover = 64 << 10

// HoverResult is lspclient.HoverResult, documented there.
type HoverResult struct {
	Target place.Location
	session.Answer
	Text     string
	Markdown bool
}

// Hover asks what the server shows of a symbol.
func (c *Finder) Hover(ctx context.Context, t symbols.Query) (*HoverResult, error) {
	ctx, cancel := c.pool.Deadline(ctx)
	defer cancel()
	spot, err := c.resolver.Resolve(ctx, t)
	if err != nil {
		return nil, named(t, err)
	}
	type shown struct {
		at found
		wire.Hover
	}
	a, err := session.Ask(ctx, spot.Server, session.Question[shown]{
		Method: protocol.MethodTextDocumentHover,
		Same:   func(a, b shown) bool { return a.at.target == b.at.target && a.Hover == b.Hover },
		Open:   spot.Show,
		Ask: func(ctx context.Context, s *session.Session) (shown, error) {
			var h shown
			if !s.Offers(protocol.MethodTextDocumentHover) {
				return h, s.Unsupported("hovers")
			}
			f, pos, err := pointAt(ctx, s, spot)
			if err != nil {
				return h, err
			}
			h.at = f
			err = s.Call(ctx, protocol.MethodTextDocumentHover, &pos, &h.Hover)
			return h, err
		},
	})
	if err != nil {
		return nil, named(t, err)
	}
	r := &HoverResult{Target: a.Value.at.target, Answer: a.Answer(), Text: a.Value.Text, Markdown: a.Value.Markdown}
	r.Note = excerpt.Join(spot.Note, r.Note, a.Value.at.note)
	if len(r.Text) > maxHover {
		r.Note = excerpt.Join(r.Note, fmt.Sprintf("the text was cut after %d of %d bytes", maxHover, len(r.Text)))
		r.Text = strings.ToValidUTF8(r.Text[:maxHover], "")
	}
	a.Session.Degrade(&r.Answer, a.Value.Lost)
	return r, nil
}
