package findspot

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// MissingReferences is the data of a result of the tool references when no symbol has the name.
type MissingReferences struct {
	Missing string   `json:"missing"` // the name that was asked for
	Near    []string `json:"near"`    // ids of entities with names like it, nearest first
}

// missingSymbol is the answer of the tool references for a name that is no symbol: near names, and a search that gave no
// answer, so that no run takes it for "nobody uses it". It is nil for any other error.
func (t *toolset) missingSymbol(symbol string, err error) *skill.Result {
	if !errors.Is(err, ErrNotFound) {
		return nil
	}
	repos, bad := t.w.knownRepos()
	if bad != nil {
		return nil
	}
	r := &referenceReader{w: t.w, repos: repos}
	near := slices.Concat([]string{}, r.near(intent.Object{Name: symbol})) // a list, also when it is empty
	text := fmt.Sprintf("no symbol is named %q", symbol)
	if len(near) > 0 {
		text += "; near names: " + strings.Join(near, ", ")
	}
	return &skill.Result{Text: text + "\n", Data: MissingReferences{Missing: symbol, Near: near}, Verdict: skill.VerdictNoneKnown,
		Searched: []evidence.Searched{{Tool: "references", Query: symbol, Failed: text}}}
}
