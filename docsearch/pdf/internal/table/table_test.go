package table

import (
	"testing"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

func TestFollower(t *testing.T) {
	head := []string{"Place", "Count"}
	page := func(n int, caption string, rows ...[]string) *extract.Page {
		return &extract.Page{Number: n, Tables: []extract.Table{{Caption: caption, Rows: rows}}}
	}
	wide, narrow := geometry.NewRect(50, 50, 400, 700), geometry.NewRect(50, 50, 200, 700)
	ends := func(b geometry.Rect, caption string) Ends {
		e := tableEnd{ok: true, box: b, em: 10, number: captionNumber(caption)}
		return Ends{first: e, last: e}
	}
	for _, c := range []struct {
		name      string
		next      *extract.Page
		ends      Ends
		continued bool
		repeated  int
		Caption   string
	}{
		{"the head again", page(2, "", head, []string{"c", "3"}), ends(narrow, ""), true, 1, "Table 1: Places"},
		{"as wide", page(2, "", []string{"c", "3"}), ends(wide, ""), true, 0, "Table 1: Places"},
		{"of its own", page(2, "Table 2: Others", head, []string{"c", "3"}), ends(wide, "Table 2: Others"), false, 0, "Table 2: Others"},
		{"named again", page(2, "Table 1 (continued)", head, []string{"c", "3"}), ends(wide, "Table 1 (continued)"), true, 1, "Table 1 (continued)"},
		{"other width", page(2, "", []string{"c", "3"}), ends(narrow, ""), false, 0, ""},
		{"other columns", page(2, "", []string{"c", "3", "4"}), ends(wide, ""), false, 0, ""},
		{"a page between", page(3, "", head, []string{"c", "3"}), ends(wide, ""), false, 0, ""},
		{"not at the top", page(2, "", head, []string{"c", "3"}), Ends{}, false, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w Follower
			w.Add(page(1, "Table 1: Places", head, []string{"a", "1"}, []string{"b", "2"}), ends(wide, "Table 1: Places"))
			w.Add(c.next, c.ends)
			got := c.next.Tables[0]
			if got.Continued != c.continued || got.Repeated != c.repeated || got.Caption != c.Caption {
				t.Errorf("continued %v, repeated %d, caption %q; want %v, %d, %q", got.Continued, got.Repeated, got.Caption, c.continued, c.repeated, c.Caption)
			}
		})
	}
}
