package wire

import (
	"encoding/json"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/protocol"
)

// Call is one caller or callee.
type Call struct {
	Name, Detail string
	Kind         Number
	URI          string
	Whole, Label protocol.Range
	SiteURI      string
	Ranges       []protocol.Range
}

// CallItem is an item of a call hierarchy, kept as the server gave it: what it holds besides is the server's own.
type CallItem struct {
	Raw json.RawMessage
	CallHierarchyItem
}

type CallHierarchyItem struct {
	Name           string `json:"name"`
	Detail         string `json:"detail"`
	Kind           Number `json:"kind"`
	URI            string `json:"uri"`
	Range          Range  `json:"range"`
	SelectionRange Range  `json:"selectionRange"`
}

// Ranges returns the ranges of the declaration and of its name.
func (w CallHierarchyItem) Ranges() (whole, name protocol.Range, ok bool) {
	whole, ok1 := w.Range.Get()
	name, ok2 := w.SelectionRange.Get()
	switch {
	case !ok2 && !w.SelectionRange.Set():
		name = whole
		ok2 = ok1
	case !ok1 && !w.Range.Set():
		whole = name
		ok1 = ok2
	}
	return whole, name, ok1 && ok2 && w.URI != "" && w.Name != ""
}

// CallItems is the answer of textDocument/prepareCallHierarchy.
type CallItems struct {
	Items []CallItem
	Lost  Losses
}

func (l *CallItems) FromWire(raw json.RawMessage) error {
	list, err := elements[json.RawMessage](raw, "items of a call hierarchy")
	if err != nil {
		return err
	}
	for _, one := range list {
		item := CallItem{Raw: one}
		if Kind(one) != '{' || Unmarshal(one, &item.CallHierarchyItem) != nil {
			l.Lost.Add("an item of a call hierarchy: %s", excerpt.Clip(string(one), 100))
			continue
		}
		if _, _, ok := item.Ranges(); !ok {
			l.Lost.Add("an item of a call hierarchy without a name or a place (%q)", item.Name)
			continue
		}
		l.Items = append(l.Items, item)
	}
	return l.Lost.all(len(l.Items))
}

// Calls is the answer of callHierarchy/incomingCalls or outgoingCalls about an item.
type Calls struct {
	Item CallItem
	Ends []Call
	Lost Losses
}

func (l *Calls) FromWire(raw json.RawMessage) error {
	type wireCall struct {
		From       *CallHierarchyItem `json:"from"`
		To         *CallHierarchyItem `json:"to"`
		FromRanges []Range            `json:"fromRanges"`
	}
	list, err := elements[wireCall](raw, "calls")
	if err != nil {
		return err
	}
	for _, w := range list {
		end, siteURI := w.From, ""
		if end == nil {
			end = w.To
			siteURI = l.Item.URI
		} else {
			siteURI = end.URI
		}
		if end == nil {
			l.Lost.Add("a call without an end")
			continue
		}
		whole, name, ok := end.Ranges()
		if !ok {
			l.Lost.Add("a call whose end has no name or no place (%q)", end.Name)
			continue
		}
		e := Call{Name: end.Name, Detail: end.Detail, Kind: end.Kind, URI: end.URI, Whole: whole, Label: name, SiteURI: siteURI}
		for _, r := range w.FromRanges {
			if at, ok := r.Get(); ok {
				e.Ranges = append(e.Ranges, at)
			} else {
				l.Lost.Add("a site of a call of %q", end.Name)
			}
		}
		l.Ends = append(l.Ends, e)
	}
	return l.Lost.all(len(l.Ends))
}
