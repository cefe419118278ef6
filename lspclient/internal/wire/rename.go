package wire

import (
	"encoding/json"
	"fmt"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
)

// PreparedRename is the answer of textDocument/prepareRename: a range, a range with a placeholder, or that the default holds.
type PreparedRename struct {
	OK bool
}

func (p *PreparedRename) FromWire(raw json.RawMessage) error {
	if Kind(raw) == 'n' {
		return nil
	}
	var at Range
	var w struct {
		Range           Range `json:"range"`
		DefaultBehavior *bool `json:"defaultBehavior"`
	}
	if Kind(raw) == '{' {
		if err := Unmarshal(raw, &w); err != nil {
			return err
		}
		if err := Unmarshal(raw, &at); err != nil {
			return err
		}
		_, whole := w.Range.Get()
		_, bare := at.Get()
		if whole || bare || w.DefaultBehavior != nil {
			p.OK = whole || bare || *w.DefaultBehavior
			return nil
		}
	}
	return fmt.Errorf("a range, or that the default holds, expected, got %s", excerpt.Clip(string(raw), 100))
}
