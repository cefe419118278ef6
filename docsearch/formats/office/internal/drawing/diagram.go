package drawing

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/formats/office/internal/opc"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
)

// An Item is a box of a diagram.
type Item struct {
	Text  string
	Depth int // below how many others it stands
}

// Diagram reads the part with the data of a diagram (SmartArt): its boxes with text, each followed by those below it.
func Diagram(p *opc.Package, part string) ([]Item, error) {
	n, err := p.Tree(part)
	if err != nil {
		return nil, err
	}
	return items(n), nil
}

func items(n *xmlnode.Node) []Item {
	texts := map[string]string{}
	var order []string // the boxes as the file has them
	top := ""
	for pt := range n.Child("dgm:ptLst").Children("dgm:pt") {
		id := pt.Attr("modelId")
		switch pt.Attr("type") {
		case "doc":
			top = id
		case "", "node", "asst":
			if _, ok := texts[id]; !ok {
				order = append(order, id)
			}
			texts[id] = Line(pt.Child("dgm:t"))
		}
	}
	type link struct {
		to    string
		order int
	}
	below := map[string][]link{}
	for c := range n.Child("dgm:cxnLst").Children("dgm:cxn") {
		if t := c.Attr("type"); t == "" || t == "parOf" {
			below[c.Attr("srcId")] = append(below[c.Attr("srcId")], link{c.Attr("destId"), c.Int("srcOrd", 0)})
		}
	}
	var out []Item
	seen := map[string]bool{}
	var walk func(id string, depth int)
	walk = func(id string, depth int) {
		if seen[id] || depth > 50 {
			return
		}
		seen[id] = true
		if s := strings.TrimSpace(texts[id]); s != "" {
			out = append(out, Item{s, max(depth, 0)})
		}
		links := below[id]
		slices.SortStableFunc(links, func(a, b link) int { return a.order - b.order })
		for _, l := range links {
			walk(l.to, depth+1)
		}
	}
	walk(top, -1)
	for _, id := range order {
		walk(id, 0)
	}
	return out
}
