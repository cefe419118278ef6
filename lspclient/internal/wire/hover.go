package wire

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
)

// Hover is the text of a hover. It may be given as MarkupContent, as a string, or in the protocol's deprecated
// forms: a MarkedString with a language, and a list of strings and MarkedStrings.
type Hover struct {
	Text     string
	Markdown bool
	Lost     string
}

func (h *Hover) FromWire(raw json.RawMessage) error {
	*h = Hover{}
	switch Kind(raw) {
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
	var lost Losses
	var parts []string
	switch Kind(w.Contents) {
	case 'n':
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(w.Contents, &list); err != nil {
			return err
		}
		for _, one := range list {
			text, _, ok := markup(one)
			if !ok {
				lost.Add("a text of a hover: %s", excerpt.Clip(string(one), 100))
				continue
			}
			if text = strings.TrimSpace(text); text != "" {
				parts = append(parts, text)
			}
		}
		h.Markdown = len(parts) > 0
	default:
		text, markdown, ok := markup(w.Contents)
		if !ok {
			return fmt.Errorf("the contents of a hover expected, got %s", excerpt.Clip(string(w.Contents), 100))
		}
		if strings.TrimSpace(text) != "" {
			parts, h.Markdown = []string{text}, markdown
		}
	}
	h.Text, h.Lost = strings.Join(parts, "\n\n"), lost.String()
	return nil
}

// markup reads one text: a string, which is Markdown by the protocol, MarkupContent, or a MarkedString, which becomes a
// block of code.
func markup(raw json.RawMessage) (text string, markdown, ok bool) {
	switch Kind(raw) {
	case '"':
		err := json.Unmarshal(raw, &text)
		return text, true, err == nil
	case '{':
		var w struct {
			Kind     string  `json:"kind"`
			Language string  `json:"language"`
			Value    *string `json:"value"`
		}
		if Unmarshal(raw, &w) != nil || w.Value == nil {
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
