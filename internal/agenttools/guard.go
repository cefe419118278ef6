package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"

	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// A Guard makes what tools return fit to be given to a model.
type Guard struct {
	ShowSecrets bool // nothing is masked
	Logger      *slog.Logger
}

// Tool is a tool whose answers can be given to a model: secrets are masked, the text is one block of marked data (see [evidence.Mark]) in which
// nothing is invisible, and a panic is an error. What is left out is said behind the block, in our own words.
func (g Guard) Tool(t skill.Tool) skill.Tool {
	call := t.Call
	t.Call = func(ctx context.Context, args json.RawMessage) (res *skill.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				g.Logger.Warn("findspot: tool panicked", "tool", t.Name, "panic", p, "stack", string(debug.Stack()))
				res, err = nil, fmt.Errorf("%s: an error inside of findspot; other calls work", t.Name)
			}
		}()
		res, err = call(ctx, args)
		if err != nil {
			return nil, g.err(err)
		}
		masked, err := g.mask(res)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		markText(res, masked)
		if err := g.finish(res); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		return res, nil
	}
	return t
}

// mask masks secrets in every part of a result, and counts them.
func (g Guard) mask(res *skill.Result) (int, error) {
	if g.ShowSecrets {
		return 0, nil
	}
	for i := range res.Items {
		res.Items[i] = g.Item(res.Items[i])
	}
	total := strings.Count(res.Text, secretMark)
	text, n := secrets.MaskString(res.Text)
	res.Text, total = text, total+n
	if res.Data == nil {
		return total, nil
	}
	data, n, err := secrets.JSON(res.Data)
	if err != nil {
		return 0, err
	}
	res.Data = data
	return max(total, n), nil
}

// Item is a piece of evidence with secrets masked: before it gets a key, so that nothing else is kept. Offsets stay, since a mask is as long as what it
// covers.
func (g Guard) Item(it evidence.Item) evidence.Item {
	if !g.ShowSecrets {
		for _, s := range []*string{&it.Text, &it.Note, &it.At.Title, &it.At.Name} {
			*s = Masked(*s)
		}
	}
	return it
}

// Masked is a text as answers have it.
func Masked(s string) string {
	s, _ = secrets.MaskString(s)
	return s
}

const (
	secretMark = "[masked: "
	maskedHint = "(secrets are masked; the host can allow them with Options.ShowSecrets)\n"
)

// markText puts the text of a result into a block of marked data.
func markText(res *skill.Result, masked int) {
	body, hint := strings.TrimRight(res.Text, "\n"), ""
	if cut := "(cut: " + res.Cut + ")"; res.Cut != "" {
		if b, ok := strings.CutSuffix(body, cut); ok {
			body, hint = strings.TrimRight(b, "\n"), visible.Text(cut)+"\n"
		}
	}
	if masked > 0 {
		hint += maskedHint
	}
	res.Text = evidence.Mark(body) + "\n" + hint
}

// maxErrorText bounds the message of an error in bytes: it may quote what the caller wrote, many times.
const maxErrorText = 6 << 10

// err is an error whose message can be shown. What it wraps stays.
func (g Guard) err(err error) error {
	text := visible.Text(err.Error())
	if !g.ShowSecrets {
		text = Masked(text)
	}
	if len(text) > maxErrorText {
		text = strings.ToValidUTF8(text[:maxErrorText], "") + "..."
	}
	if text == err.Error() {
		return err
	}
	return &shownError{text, err}
}

type shownError struct {
	text string
	err  error
}

func (e *shownError) Error() string { return e.text }
func (e *shownError) Unwrap() error { return e.err }
