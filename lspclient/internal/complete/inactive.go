package complete

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// What the preprocessor switches off in a file is compiled by nobody and is not among the references of a server that
// knowsFile files as a compiler does. A name in it that leads to the symbol shows that an answer is not everything.

// maxInactive bounds the places within conditional code that are asked about.
const maxInactive = 30

// conditional matches a line of the preprocessor that begins, turns or ends conditional code.
var conditional = lazyregexp.New(`^\s*#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b\s*(\w*)`)

// inactiveRegions complains about places of the symbol in code that the preprocessor switches off, if the entry says that the
// server leaves these out.
func (c *Checker) inactiveRegions(ctx context.Context, listed, declared []wire.Location, pos protocol.TextDocumentPositionParams, word string) (string, error) {
	if !c.sess.Server.Spec.Reach.Conditional || word == "" || !c.sess.Offers(protocol.MethodTextDocumentDefinition) {
		return "", nil
	}
	paths, err := c.holding(ctx, word)
	if err != nil {
		return "", err
	}
	var doubtful []wire.Location
	for _, path := range paths {
		text, err := c.sess.Documents.Text(path)
		if err != nil {
			continue // gone since
		}
		for _, offset := range inConditions(text, wordsInCode(path, text.Bytes, word, maxUnlisted)) {
			if at, ok := placeAt(c.sess, path, text, offset, len(word)); ok && !sameStart(at, listed) && !sameStart(at, declared) {
				doubtful = append(doubtful, at)
			}
		}
	}
	if len(doubtful) == 0 {
		return "", nil
	}
	if _, local, err := c.declarationOf(ctx, declared, pos); local || err != nil {
		return "", err
	}
	all, err := c.sess.References(ctx, pos, true)
	if jsonrpc.IsAnswer(err) {
		return fmt.Sprintf("%s could not say which of the places of %q in conditional code it knows: %v", c.sess.Server.Spec.Name, word, err), nil
	} else if err != nil {
		return "", err
	}
	doubtful = slices.DeleteFunc(doubtful, func(p wire.Location) bool { return sameStart(p, all.List) })
	symbol := slices.Concat(declared, all.List, []wire.Location{{URI: string(pos.TextDocument.URI), Range: protocol.Range{Start: pos.Position}}})

	some, cancel := third(ctx)
	defer cancel()
	var off []string
	for i, p := range doubtful {
		same, err := false, error(nil)
		if i < maxInactive {
			same, err = c.isDefinedAt(some, p, symbol)
		}
		switch {
		case i >= maxInactive || err != nil && some.Err() != nil && ctx.Err() == nil:
			return fmt.Sprintf("%d places of %q lie in conditional code that is not among the references, and not all could be looked at", len(doubtful), word), nil
		case err != nil:
			return "", err
		case same:
			abs, _ := source.PathOf(p.URI)
			off = append(off, fmt.Sprintf("%s:%d", c.sess.Server.Pool.Tree.Relative(abs), p.Range.Start.Line+1))
		}
	}
	if len(off) == 0 {
		return "", nil
	}
	return fmt.Sprintf("%s leaves out places of %q in code that the preprocessor switches off (%d): %s", c.sess.Server.Spec.Name, word, len(off), excerpt.List(off, maxNamed)), nil
}

// isDefinedAt reports whether the definition asked for at a place is one of the places of a symbol. The file is opened.
func (c *Checker) isDefinedAt(ctx context.Context, p wire.Location, symbol []wire.Location) (bool, error) {
	abs, ok := source.PathOf(p.URI)
	if !ok {
		return false, nil
	}
	if _, err := c.sess.Documents.Open(ctx, abs); err != nil {
		if ctx.Err() != nil || c.sess.Conn.Failure() != nil {
			return false, err
		}
		return false, nil // gone since, or nothing to show
	}
	leads, err := c.sess.Definition(ctx, session.Position(abs, p.Range.Start))
	if err != nil && !jsonrpc.IsAnswer(err) {
		return false, err
	}
	return slices.ContainsFunc(leads.List, func(l wire.Location) bool { return sameStart(l, symbol) }), nil
}

// inConditions returns those of the offsets, which ascend, that lie in conditional code. The guard of a header is no
// condition, and lines of the preprocessor are no code.
func inConditions(c *source.Text, offsets []int) []int {
	if len(offsets) == 0 || !bytes.Contains(c.Bytes, []byte("#")) {
		return nil
	}
	var out []int
	var guards []bool // of the conditions that are open, whether it is the guard of the header
	first, continued := true, false
	for n := 1; n <= len(c.Starts) && len(offsets) > 0; n++ {
		line, _ := c.Line(n)
		directive := continued || bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#"))
		continued = directive && bytes.HasSuffix(line, []byte(`\`))
		if m := conditional.FindSubmatch(line); m != nil {
			switch what := string(m[1]); what {
			case "if", "ifdef", "ifndef":
				next, _ := c.Line(n + 1)
				guards = append(guards, first && what == "ifndef" && regexp.MustCompile(`^\s*#\s*define\s+`+regexp.QuoteMeta(string(m[2]))+`\b`).Match(next))
				first = false
			case "endif":
				guards = guards[:max(len(guards)-1, 0)]
			}
		}
		end := len(c.Bytes)
		if n < len(c.Starts) {
			end = c.Starts[n]
		}
		for len(offsets) > 0 && offsets[0] < end {
			if !directive && slices.Contains(guards, false) {
				out = append(out, offsets[0])
			}
			offsets = offsets[1:]
		}
	}
	return out
}
