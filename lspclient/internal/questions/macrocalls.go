package questions

import (
	"context"
	"fmt"
	"slices"

	"github.com/findspot/findspot/internal/mask"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

// macroCallees adds to outgoing calls those within the arguments of macros, for servers that do not look there
// ([ReachRule.Macros]): the definition of each is asked for.
func (c *CallFinder) macroCallees(ctx context.Context, at *symbols.Spot, r *CallsResult) error {
	def, err := c.find.Definition(ctx, symbols.At(r.Target.Path, r.Target.Line, r.Target.Col), nil)
	if err != nil {
		return err
	}
	if len(def.Locations) != 1 || def.Locations[0].Outside() {
		return nil // what is not ours has no body here
	}
	body, text, err := c.bodyAt(ctx, at.Server, def.Locations)
	if err != nil || body == nil {
		return err
	}
	inside := macroArguments(text, body.Location)
	var sites []place.Location
	for _, site := range callSites(body.Location, body.Selection, text, at.Server.Spec.LanguageOf(at.Abs)) {
		known := slices.ContainsFunc(r.Calls, func(call Call) bool { return slices.Contains(call.Sites, site) })
		if !known && inside[text.Offset(site.Line, site.Col)] {
			sites = append(sites, site)
		}
	}
	var bad []string
	if len(sites) > maxDerivedCalls {
		bad = append(bad, fmt.Sprintf("the macros in the body hold %d calls, %d were diagnosis at", len(sites), maxDerivedCalls))
		sites = sites[:maxDerivedCalls]
	}
	for _, site := range sites {
		to, err := c.find.Definition(ctx, symbols.At(site.Path, site.Line, site.Col), nil)
		if err != nil {
			return err
		}
		if to.State != session.Complete {
			bad = append(bad, to.Reason)
		}
		if len(to.Locations) == 0 {
			bad = append(bad, fmt.Sprintf("what %s:%d:%d calls, within a macro, is not known", site.Path, site.Line, site.Col))
		}
		row, _ := text.Line(site.Line)
		for _, callee := range to.Locations {
			r.add(Call{Name: string(row[site.Col-1 : site.EndCol-1]), Kind: "function", Location: callee, Selection: callee, Sites: []place.Location{site}})
		}
	}
	r.tidy()
	r.Degrade(bad...)
	return nil
}

// macroArguments returns the offsets in a part of a text that lie between the brackets behind "name!".
func macroArguments(text *source.Text, in place.Location) map[int]bool {
	from, to := text.Offset(in.Line, in.Col), text.Offset(in.EndLine, in.EndCol)
	classes := mask.Classes(in.Path, text.Bytes)
	inside := map[int]bool{}
	var open []bool // whether each bracket is that of a macro, or within one
	bang := false   // the last code was "name!"
	for i := from; i < to; i++ {
		b := text.Bytes[i]
		if len(open) > 0 && open[len(open)-1] {
			inside[i] = true
		}
		if classes[i] != mask.Code || b == ' ' || b == '\t' || b == '\n' || b == '\r' {
			continue
		}
		switch b {
		case '(', '[', '{':
			open = append(open, bang || len(open) > 0 && open[len(open)-1])
		case ')', ']', '}':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
		bang = b == '!' && i > from && source.EndsInIdent(text.Bytes[from:i])
	}
	return inside
}
