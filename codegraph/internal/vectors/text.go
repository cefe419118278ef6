package vectors

import (
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/internal/text"
)

// textVersion is part of the key of vectors: raise it when other texts are embedded of the same code.
const textVersion = 1

// maxText is how much of an entity is embedded, in bytes: small models read 256 to 512 tokens.
const maxText = 1200

// Embeddable reports whether an entity has a vector: functions and classes that are neither tests nor generated.
func Embeddable(g *snapshot.Graph, n uint32) bool {
	k := g.Kind(n)
	return (k == model.Function || k == model.Class) && !g.IsTest(n) && !g.IsGenerated(n)
}

// textOf is what is embedded of an entity: where it stands and its name as words, the comment above it, and the beginning of its source, in
// which the signature comes first, then a docstring.
func textOf(g *snapshot.Graph, n uint32, src string) string {
	start, end, _ := g.Extent(n)
	end = min(end, len(src))
	start = min(start, end)
	above := int(sourcetext.CommentAbove(src, int32(start)))
	_, within, _ := strings.Cut(g.ID(n), ":")
	file := strings.TrimSuffix(path.Base(g.Path(n)), path.Ext(g.Path(n)))
	var b strings.Builder
	b.WriteString(strings.Join(text.SplitIdent(file), " "))
	for name := range strings.SplitSeq(within, ".") {
		b.WriteString(", ")
		b.WriteString(strings.Join(text.SplitIdent(name), " "))
	}
	b.WriteString(".\n")
	for line := range strings.Lines(src[above:end]) { // indentation says nothing here
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		b.WriteString(line)
		b.WriteByte('\n')
		if b.Len() > maxText {
			break
		}
	}
	return strings.ToValidUTF8(b.String()[:min(b.Len(), maxText)], "")
}
