package complete

import (
	"context"
	"slices"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// References asks for the references of the symbol at a position, with its declarations or without them, and adds what the
// server leaves out.
func (c *Checker) References(ctx context.Context, pos protocol.TextDocumentPositionParams, word string, declaration bool) (wire.Locations, error) {
	s := c.sess
	language := s.Server.Spec.LanguageOf(pathIn(pos))
	// For jdtls the declarations of a method are also those of what overrides it.
	include := s.Project == nil && (declaration || !DeclaredApart(language))
	unchecked, err := c.check(ctx, pathIn(pos))
	if err != nil {
		return wire.Locations{}, err
	}
	r, err := s.References(ctx, pos, include)
	if err != nil {
		return r, err
	}
	if strings.HasPrefix(language, "javascript") {
		if r, err = c.throughExports(ctx, r); err != nil {
			return r, err
		}
	}
	r.List = c.java.trim(r.List, pos)
	unseen, err := c.notSearched(ctx, pos)
	if err != nil {
		return r, err
	}
	r.Incomplete = excerpt.Join(r.Incomplete, unchecked, unseen)
	if len(r.List) == 0 && !declaration && s.Server.Spec.Reach.Unlisted == 0 && !s.Server.Spec.Reach.Conditional || !s.Offers(protocol.MethodTextDocumentDefinition) {
		return r, nil // the server's own view of declarations stands
	}
	// This comes second, so that whoever asks the same while the server is busy with it shares the answer.
	declared, err := s.Definition(ctx, pos)
	if err != nil {
		if jsonrpc.IsEnded(err) || ctx.Err() != nil {
			return r, err
		}
		return r, nil
	}
	if r, err = c.unlisted(ctx, r, declared.List, pos, word); err != nil {
		return r, err
	}
	off, err := c.inactiveRegions(ctx, r.List, declared.List, pos, word)
	if err != nil {
		return r, err
	}
	r.Incomplete = excerpt.Join(r.Incomplete, off)
	r.Declared = declared.List
	own := ownDeclaration(s, r.List, pos, language)
	switch {
	case !declaration:
		declared.List = append(declared.List, own...)
	case len(own) > 0: // and not the one it overrides
		declared.List = own
	}
	r.List = withDeclarations(r.List, declared.List, declaration)
	if !declaration {
		r.List = withoutSiblings(s, r.List, declared.List, language)
	}
	return r, nil
}

// Asked is a question about a place with its answer.
type Asked struct {
	Abs      string // the file of the target
	Declared bool   // the target is a declaration that the server listed
	Ident    string // the identifier at the target
	Target   place.Location
	Places   []wire.Location
}

// Missing says why a list of references may lack some, "" when nothing speaks for it.
func (c *Checker) Missing(ctx context.Context, a Asked) (string, error) {
	s := c.sess
	if lack := BeyondReach(ctx, s.Server.Spec, s.Server.Spec.Reach, s.Server.Folder, a.Ident); lack != "" || s.Project == nil {
		return lack, nil
	}
	return c.java.unaccounted(ctx, a)
}

// Uncertain says why the answer to a question about a place may be wrong, "" when nothing speaks for it.
func (c *Checker) Uncertain(ctx context.Context, method string, a Asked) (string, error) {
	if c.sess.Project == nil {
		return "", nil
	}
	return c.java.uncertain(ctx, method, a)
}

// DeclaredApart reports whether a language declares functions and variables apart from their definitions, in many files, which
// only the server can tell from uses. In the others servers are asked for references with declarations, and the declarations are
// taken away here, because some take the name in an import for a declaration (ty, pylsp, TypeScript 7) and others for a
// reference (pyright, typescript-language-server): an import is a use.
func DeclaredApart(language string) bool {
	return slices.Contains([]string{"c", "cpp", "objective-c", "objective-cpp", "cuda-cpp"}, language)
}

// withDeclarations adds the declarations to the references, or takes them away. Servers differ in how much of a
// declaration they give, so that it is the start that counts.
func withDeclarations(refs, declared []wire.Location, want bool) []wire.Location {
	type start struct {
		uri string
		at  protocol.Position
	}
	starts := map[start]bool{}
	if want {
		for _, p := range refs {
			starts[start{p.URI, p.Range.Start}] = true
		}
		for _, p := range declared {
			// A declaration that spans lines is no name, and a name that is not there is no reference.
			if !starts[start{p.URI, p.Range.Start}] && p.Range.Start.Line == p.Range.End.Line {
				refs = append(refs, p)
			}
		}
		return wire.SortLocations(refs)
	}
	for _, p := range declared {
		starts[start{p.URI, p.Range.Start}] = true
	}
	return slices.DeleteFunc(refs, func(p wire.Location) bool { return starts[start{p.URI, p.Range.Start}] })
}
