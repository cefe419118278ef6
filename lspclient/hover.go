package lspclient

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
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
		hoverText
	}
	a, err := ask(ctx, spot.server, question[shown]{
		method: protocol.MethodTextDocumentHover,
		same:   func(a, b shown) bool { return a.at.target == b.at.target && a.hoverText == b.hoverText },
		show:   spot.show,
		ask: func(ctx context.Context, s *session) (shown, error) {
			var h shown
			if !s.offers(protocol.MethodTextDocumentHover) {
				return h, unsupported(s, "hovers")
			}
			f, pos, err := s.pointAt(ctx, spot)
			if err != nil {
				return h, err
			}
			h.at = f
			err = s.call(ctx, protocol.MethodTextDocumentHover, &pos, &h.hoverText)
			return h, err
		},
	})
	if err != nil {
		return nil, c.named(t, err)
	}
	r := &HoverResult{Target: a.value.at.target, Answer: a.said(), Text: a.value.text, Markdown: a.value.markdown}
	r.Note = excerpt.Join(spot.note, a.value.at.note)
	if len(r.Text) > maxHover {
		r.Note = excerpt.Join(r.Note, fmt.Sprintf("the text was cut after %d of %d bytes", maxHover, len(r.Text)))
		r.Text = strings.ToValidUTF8(r.Text[:maxHover], "")
	}
	a.sess.weaken(&r.Answer, a.value.lost)
	return r, nil
}

// hoverText is the text of a hover. It may be given as MarkupContent, as a string, or in the protocol's deprecated
// forms: a MarkedString with a language, and a list of strings and MarkedStrings.
type hoverText struct {
	text     string
	markdown bool
	lost     string
}

func (h *hoverText) FromWire(raw json.RawMessage) error {
	*h = hoverText{}
	switch kindOf(raw) {
	case 'n':
		return nil
	case '{':
	default:
		return fmt.Errorf("a hover expected, got %s", excerpt.Clip(string(raw), 100))
	}
	var w struct {
		Contents json.RawMessage `json:"contents"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return err
	}
	var lost losses
	var parts []string
	switch kindOf(w.Contents) {
	case 'n':
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(w.Contents, &list); err != nil {
			return err
		}
		for _, one := range list {
			text, _, ok := markup(one)
			if !ok {
				lost.add("a text of a hover: %s", excerpt.Clip(string(one), 100))
				continue
			}
			if text = strings.TrimSpace(text); text != "" {
				parts = append(parts, text)
			}
		}
		h.markdown = len(parts) > 0
	default:
		text, markdown, ok := markup(w.Contents)
		if !ok {
			return fmt.Errorf("the contents of a hover expected, got %s", excerpt.Clip(string(w.Contents), 100))
		}
		if strings.TrimSpace(text) != "" {
			parts, h.markdown = []string{text}, markdown
		}
	}
	h.text, h.lost = strings.Join(parts, "\n\n"), lost.String()
	return nil
}

// markup reads one text: a string, which is Markdown by the protocol, MarkupContent, or a MarkedString, which becomes a
// block of code.
func markup(raw json.RawMessage) (text string, markdown, ok bool) {
	switch kindOf(raw) {
	case '"':
		err := json.Unmarshal(raw, &text)
		return text, true, err == nil
	case '{':
		var w struct {
			Kind     string  `json:"kind"`
			Language string  `json:"language"`
			Value    *string `json:"value"`
		}
		if lenient(raw, &w) != nil || w.Value == nil {
			return "", false, false
		}
		if w.Kind == "" && w.Language != "" && *w.Value != "" {
			fence := "```"
			for strings.Contains(*w.Value, fence) {
				fence += "`"
			}
			return fence + excerpt.Clip(w.Language, 40) + "\n" + strings.TrimSuffix(*w.Value, "\n") + "\n" + fence, true, true
		}
		return *w.Value, w.Kind != "plaintext", true
	}
	return "", false, false
}
