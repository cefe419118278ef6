package findspot

import (
	"time"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/callers"
)

// A Verdict tells "there are none" from "we could not tell".
type Verdict string

// The verdicts.
const (
	Found        Verdict = "found"         // there are callers, and they are listed
	NoneKnown    Verdict = "none known"    // none was found, and something could not be looked at or explained; Why says what
	VerifiedNone Verdict = "verified none" // the source was read within the call, the language server's answer was complete, no reference to the name is unresolved, every place where the name is written was explained, no place puts the name together, and nothing outside of the repository is known to call it
)

// A Caller is an entity that calls, or else uses, the one asked for.
type Caller struct {
	Key    string               `json:"key,omitempty"`  // in an Answer: key of its item
	Code   []string             `json:"code,omitempty"` // in an Answer: keys of the items that hold its code, in order of lines
	Entity codegraph.Entity     `json:"entity"`         // the innermost entity around the sites
	Call   bool                 `json:"call"`           // it calls; false: it imports, passes on, or names it otherwise
	Sites  []codegraph.Location `json:"sites"`          // places of the name, in order
	Text   string               `json:"text"`           // the line of the first site, without leading blanks
	Via    string               `json:"via"`            // what gave it: a language server with its version, "graph" or "text"
	Level  codegraph.Level      `json:"level,omitempty"`
	Repo   string               `json:"repo,omitempty"`
}

// CallersResult is the answer to "who calls this?".
type CallersResult struct {
	Key         string             `json:"key,omitempty"` // in an Answer: key of the item that states the verdict
	Asked       string             `json:"asked"`
	Symbols     []codegraph.Entity `json:"symbols"`          // what the name was taken for; more than one when it is not unique
	Declared    []codegraph.Entity `json:"declared"`         // where Symbols are declared apart from their definitions, as in a header of C
	Verdict     Verdict            `json:"verdict"`          // about all uses, not calls alone
	Via         string             `json:"via"`              // the strongest source that gave callers or made the verdict
	Callers     []Caller           `json:"callers"`          // calls first, then other uses; each by id
	Tests       int                `json:"tests"`            // how many of Callers are test code
	Unresolved  int                `json:"unresolved"`       // references to the name that the graph could not place
	Outside     int                `json:"outside"`          // references to the name that lead outside of the repository
	Looked      []string           `json:"looked"`           // what was searched: servers with their state, the graph, the text of how many files
	Code        *CallersCode       `json:"code,omitempty"`   // how far the callers' code was read; nil when it was not asked for
	Unexplained int                `json:"unexplained"`      // lines where the name is written that nothing explains
	Unread      []UnreadPlace      `json:"unread,omitempty"` // 20 of them at most: those in files of the symbol's language, then those in files of none (templates, scripts), then the first of each file of another language
	Why         []string           `json:"why,omitempty"`    // what limits the answer, such as a language server that is not installed
	Checked     time.Time          `json:"checked"`          // when the sources were read
}

// An UnreadPlace is a line where the name is written and that nothing explains. It may be a use.
type UnreadPlace struct {
	Path string `json:"path"`           // as in entity ids
	Line int    `json:"line"`           // from 1
	Text string `json:"text,omitempty"` // the line, or what is around the name in a long one; "" when the file may hold secrets
}

// CallersOptions of [Workspace.Callers].
type CallersOptions struct {
	// ServerTimeout bounds all that language servers are asked in one repository, their start included; 0 means 30 s. After it the answer
	// comes from the graph and the text, and Why says that the server did not answer.
	ServerTimeout time.Duration
}

// newCallers is what a search for callers found, as users see it.
func newCallers(c *callers.Result) *CallersResult {
	res := &CallersResult{
		Asked: c.Asked, Symbols: c.Symbols, Declared: c.Declared, Verdict: Verdict(c.Verdict), Via: c.Via, Callers: []Caller{}, Tests: c.Tests(), Unresolved: c.Unresolved, Outside: c.Outside,
		Looked: c.Looked, Unexplained: c.Unexplained, Why: c.Why, Checked: c.Checked,
	}
	for _, p := range c.Unread {
		res.Unread = append(res.Unread, UnreadPlace(p))
	}
	for _, u := range c.Uses {
		res.Callers = append(res.Callers, Caller(u))
	}
	return res
}
