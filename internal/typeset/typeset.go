package typeset

import (
	"fmt"
	"strings"
)

// A Line is a line of a page, so many points below the one before.
type Line struct {
	Text string
	Down int // 0 means 14
}

// PDF makes a document of pages of lines, in Helvetica of 11 points. Lines are Latin-1 text.
func PDF(pages ...[]Line) string {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
	var kids []string
	for _, lines := range pages {
		var content strings.Builder
		content.WriteString("BT /F 11 Tf 60 774 Td ")
		for _, l := range lines {
			down := l.Down
			if down == 0 {
				down = 14
			}
			fmt.Fprintf(&content, "0 -%d Td (%s) Tj ", down, strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(l.Text))
		}
		content.WriteString("ET")
		objects = append(objects, fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", content.Len(), content.String()))
		objects = append(objects, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents %d 0 R >>", len(objects)))
		kids = append(kids, fmt.Sprintf("%d 0 R", len(objects)))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids))
	var out, table strings.Builder
	out.WriteString("%PDF-1.4\n")
	for i, o := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table.String(), len(objects)+1, start)
	return out.String()
}
