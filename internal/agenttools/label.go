package agenttools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/skill/evidence"
)

// longName is from where on the name of a file is longer than what stands for it at its later places.
const longName = 12

// labelsOf are what stands behind the key of each item: its place, and how it was found. A document or file is named at its first item; the others
// name that item. What all items share is not among them.
func labelsOf(list []evidence.Item) (labels []string, shared string) {
	common := found(evidence.Item{})
	if len(list) > 1 {
		common = found(list[0])
		for _, it := range list[1:] {
			for i, s := range found(it) {
				if s != common[i] {
					common[i] = ""
				}
			}
		}
	}
	first := map[string]string{} // source: key of its first item
	for _, it := range list {
		source := sourceOf(it.At)
		label := place(it.At, first[source])
		if first[source] == "" && source != "" {
			first[source] = it.Key
		}
		how := found(it)
		for i := range how {
			if how[i] == common[i] {
				how[i] = ""
			}
		}
		if s := joined(how); s != "" {
			label += " (" + s + ")"
		}
		labels = append(labels, label)
	}
	return labels, joined(common)
}

// found says what an item is and how it was found: kind, tier, via, level, note; "" for what its place says, or what is so unless something else is
// said: a passage, an entity or a line, by the index, exact.
func found(it evidence.Item) [5]string {
	via, _, _ := strings.Cut(it.Via, " ") // a server without its version
	out := [5]string{it.Kind, it.Tier, via, it.Level, it.Note}
	switch it.Kind {
	case evidence.KindPassage, evidence.KindEntity, evidence.KindText, evidence.KindFigure, evidence.KindTable:
		if it.Kind != evidence.KindFigure && it.Kind != evidence.KindTable || strings.HasPrefix(it.Note, it.Kind) {
			out[0] = ""
		}
		if slices.Contains([]string{"docs", "graph", "text", "source"}, via) {
			out[2] = ""
		}
	case evidence.KindReference:
		out[4] = strings.TrimPrefix(strings.TrimPrefix(it.Note, "a use, not a call"), ", ")
	}
	if it.Tier == evidence.TierVerdict {
		out[0], out[4] = "", ""
	}
	if it.Level == "exact" {
		out[3] = ""
	}
	if it.Note == it.Tier {
		out[4] = ""
	}
	return out
}

func joined(words [5]string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, ", ")
}

// sourceOf is the document or file of a place; "" for none.
func sourceOf(at evidence.Place) string {
	if at.Path == "" {
		return at.Doc
	}
	return items.File(at)
}

// place is a place as a reader looks it up. key is an item before it in the same document or file; "" for none. It stands in brackets, since the
// run that takes the items into a ledger of its own gives them other keys, which it finds by them.
func place(at evidence.Place, key string) string {
	if at.Path == "" {
		if key == "" {
			return at.String()
		}
		at.Title, at.Name, at.Doc = "", "-", ""
		return "as [" + key + "] " + strings.TrimSuffix(at.String(), " (-)")
	}
	file := items.File(at)
	where := file
	if key != "" && len(file) > longName {
		where = "as [" + key + "]"
	}
	lines := ""
	if at.Line > 0 {
		lines = fmt.Sprint(at.Line)
		if at.EndLine > at.Line {
			lines += fmt.Sprintf("-%d", at.EndLine)
		}
	}
	switch name, inside := strings.CutPrefix(at.Entity, file+":"); {
	case inside && lines != "": // the whole is the id
		return where + ":" + name + " l. " + lines
	case inside:
		return where + ":" + name
	case lines != "":
		where += ":" + lines
	}
	if at.Entity != "" && at.Entity != file {
		where += " " + at.Entity
	}
	return where
}
