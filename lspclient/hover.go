package lspclient

import (
	"context"
	"fmt"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/wire"
	"go.lsp.dev/protocol"
)

// maxHover bounds the text of a hover, in bytes.
const maxHover = 64 << 10

// HoverResult is what a server has to say about a symbol.
type HoverResult struct {
	// Target is the identifier the question was about.
	Target Location `json:"target"`
	Answer
	// Text is the signature and the documentation, at most 64 KiB; empty when the server has nothing to say.
	Text string `json:"text"`
	// Markdown says that Text is in Markdown; else it is plain.
	Markdown bool `json:"markdown"`
}

// None reports whether the server has nothing to say about the target, and the answer is complete.
func (r *HoverResult) None() bool { return r.Text == "" && r.State == Complete }

// Hover returns what the server shows of a symbol: usually its signature and documentation. The errors are those of
// [Client.Definition].
func (c *Client) Hover(ctx context.Context, t Target) (*HoverResult, error) {
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	spot, err := c.resolve(ctx, t)
	if err != nil {
		return nil, c.named(t, err)
	}
	type shown struct {
		at found
		wire.Hover
	}
	a, err := ask(ctx, spot.server, question[shown]{
		method: protocol.MethodTextDocumentHover,
		same:   func(a, b shown) bool { return a.at.target == b.at.target && a.Hover == b.Hover },
		show:   spot.show,
		ask: func(ctx context.Context, s *session) (shown, error) {
			var h shown
			if !s.offers(protocol.MethodTextDocumentHover) {
				return h, unsupported(s, "hovers")
			}
			f, pos, err := aimIn(s).pointAt(ctx, spot)
			if err != nil {
				return h, err
			}
			h.at = f
			err = s.call(ctx, protocol.MethodTextDocumentHover, &pos, &h.Hover)
			return h, err
		},
	})
	if err != nil {
		return nil, c.named(t, err)
	}
	r := &HoverResult{Target: a.value.at.target, Answer: a.said(), Text: a.value.Text, Markdown: a.value.Markdown}
	r.Note = excerpt.Join(spot.note, a.value.at.note)
	if len(r.Text) > maxHover {
		r.Note = excerpt.Join(r.Note, fmt.Sprintf("the text was cut after %d of %d bytes", maxHover, len(r.Text)))
		r.Text = strings.ToValidUTF8(r.Text[:maxHover], "")
	}
	a.sess.weaken(&r.Answer, a.value.Lost)
	return r, nil
}
