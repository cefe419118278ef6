package complete

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// notSearched says why the server does not look for references of the symbol at a position at all, "" when it does.
func (c *Checker) notSearched(ctx context.Context, pos protocol.TextDocumentPositionParams) (string, error) {
	rule := c.sess.Server.Spec.Reach.Unseen
	if rule == "" || !c.sess.Offers(protocol.MethodTextDocumentHover) {
		return "", nil
	}
	re, err := regexp.Compile(rule)
	if err != nil {
		return "", err
	}
	var h wire.Hover
	if err := c.sess.Call(ctx, protocol.MethodTextDocumentHover, &pos, &h); err != nil {
		if jsonrpc.IsEnded(err) || ctx.Err() != nil {
			return "", err
		}
		return fmt.Sprintf("%s could not say what the symbol is, and does not look for references of every kind: %v", c.sess.Server.Spec.Name, err), nil
	}
	if what := re.FindString(h.Text); what != "" {
		return fmt.Sprintf("%s does not look for references of a %s in other files", c.sess.Server.Spec.Name, strings.Trim(what, "# ")), nil
	}
	return "", nil
}

// In a CommonJS module a property of module.exports is to the server another symbol than what it is set to, so that the
// uses behind require() are missing among the references: they are asked for at the property.

var (
	exportsObject   = lazyregexp.New(`\bmodule\s*\.\s*exports\s*=\s*\{`)
	exportsProperty = lazyregexp.New(`(?:^|[^\w.$])(?:module\s*\.\s*)?exports\s*\.\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*$`)
	requiredBehind  = lazyregexp.New(`^(?:\s*:\s*([\p{L}_$][\p{L}\p{N}_$]*))?\s*(?:,[^{};()]*)?\}\s*=\s*require\s*\(`)
	propertyBefore  = lazyregexp.New(`[{,\s]([\p{L}_$][\p{L}\p{N}_$]*)\s*:\s*$`)
)

const (
	// maxExports bounds the places that are followed for one question.
	maxExports = 50
	// maxRequired bounds how far behind a name its require() is looked for, in bytes.
	maxRequired = 4 << 10
	// maxExportsObject bounds how far above a property its module.exports is looked for, in bytes.
	maxExportsObject = 64 << 10
)

// throughExports adds the references of the properties of module.exports that the places set, and of the variables that
// they are taken into where they are required.
func (c *Checker) throughExports(ctx context.Context, list wire.Locations) (wire.Locations, error) {
	queue, asked, seen := list.List, 0, map[string]bool{}
	all := append([]wire.Location{}, list.List...)
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		abs, ok := source.PathOf(p.URI)
		if !ok || !source.Below(c.sess.Server.Folder, abs) || !strings.HasPrefix(c.sess.Server.Spec.LanguageOf(abs), "javascript") {
			continue
		}
		conv := c.sess.Converter()
		at, ok := conv.Location(p.URI, p.Range)
		if !ok || at.Line != at.EndLine {
			continue
		}
		text := conv.Text(abs)
		col := exportedAt(text, at)
		handed := col > 0
		if !handed {
			col = RequiredAt(text, at)
		}
		key := fmt.Sprint(abs, ":", at.Line, ":", col)
		if col == 0 || seen[key] {
			continue
		}
		position, err := c.sess.Position(text, at.Line, col)
		if err != nil {
			return list, err
		}
		seen[key] = true
		if asked++; asked > maxExports {
			list.Incomplete = excerpt.Join(list.Incomplete, fmt.Sprintf("only %d places of the name in module.exports and behind require were followed", maxExports))
			break
		}
		pos := session.Position(abs, position)
		more, err := c.sess.References(ctx, pos, true)
		if err != nil {
			return list, err
		}
		if handed && !slices.ContainsFunc(more.List, func(m wire.Location) bool { return m.URI != p.URI }) {
			list.Incomplete = excerpt.Join(list.Incomplete, fmt.Sprintf("%s:%d hands it on in exports, and %s finds no use of that behind require", at.Path, at.Line, c.sess.Server.Spec.Name))
		}
		all, queue = append(all, more.List...), append(queue[:len(queue):len(queue)], more.List...)
	}
	if asked > 0 {
		list.List = wire.SortLocations(all)
	}
	return list, nil
}

// RequiredAt returns the byte column of the variable that a property at a place is taken into from require(), 0 when
// there is none.
func RequiredAt(text *source.Text, at place.Location) int {
	line, ok := text.Line(at.Line)
	if !ok || at.Col < 1 || at.EndCol-1 > len(line) || at.Col > at.EndCol {
		return 0
	}
	end := text.Starts[at.Line-1] + at.EndCol - 1
	after := text.Bytes[end:min(len(text.Bytes), end+maxRequired)]
	m := requiredBehind.FindSubmatchIndex(after)
	switch {
	case m == nil:
		return 0
	case m[2] < 0:
		return at.Col
	case bytes.IndexByte(after[:m[2]], '\n') >= 0:
		return 0
	}
	return at.EndCol + m[2]
}

// exportedAt returns the byte column of the property of exports that is set to the name at a place, 0 when there is none.
func exportedAt(text *source.Text, at place.Location) int {
	line, ok := text.Line(at.Line)
	if !ok || at.Col < 1 || at.EndCol-1 > len(line) || at.Col > at.EndCol {
		return 0
	}
	before := line[:at.Col-1]
	if m := exportsProperty.FindSubmatchIndex(before); m != nil {
		return m[2] + 1
	}
	start, end := text.Starts[at.Line-1]+at.Col-1, text.Starts[at.Line-1]+at.EndCol-1
	above := text.Bytes[max(0, start-maxExportsObject):start]
	objects := exportsObject.FindAllIndex(above, -1)
	if len(objects) == 0 {
		return 0
	}
	inside := above[objects[len(objects)-1][1]:]
	if bytes.ContainsAny(inside, ";") || bytes.Count(inside, []byte("{")) != bytes.Count(inside, []byte("}")) {
		return 0 // behind the object, or deeper in it
	}
	if m := propertyBefore.FindSubmatchIndex(before); m != nil {
		return m[2] + 1
	}
	last, next := bytes.TrimSpace(inside), bytes.TrimSpace(text.Bytes[end:])
	if (len(last) == 0 || last[len(last)-1] == ',') && len(next) > 0 && (next[0] == ',' || next[0] == '}') {
		return at.Col
	}
	return 0
}
