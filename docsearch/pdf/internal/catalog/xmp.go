package catalog

import (
	"encoding/xml"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
)

// maxCreators bounds the bytes of the names of authors in XMP.
const maxCreators = 32 << 10

// XMP reads the few properties we use from the XMP packet: local name to text; several values are joined by "; ".
func XMP(f *cos.Reader) map[string]string {
	data, _ := f.Stream(f.Catalog()["Metadata"])
	if len(data) == 0 || len(data) > 4<<20 {
		return nil
	}
	dec := xml.NewDecoder(strings.NewReader(string(data)))
	dec.Strict = false
	out := map[string]string{}
	var stack []string
	for range 100_000 {
		t, err := dec.Token()
		if err != nil {
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			stack = append(stack, t.Name.Local)
			for _, a := range t.Attr {
				if t.Name.Local == "Description" && (a.Name.Local == "CreateDate" || a.Name.Local == "Producer") {
					out[a.Name.Local] = a.Value
				}
			}
		case xml.EndElement:
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		case xml.CharData:
			text := strings.TrimSpace(string(t))
			if text == "" {
				continue
			}
			for i := len(stack) - 1; i >= 0; i-- {
				switch k := stack[i]; k {
				case "title", "creator", "description", "CreateDate", "Producer":
					if out[k] != "" && k == "creator" && len(out[k]) < maxCreators {
						out[k] += "; " + text
					} else if out[k] == "" {
						out[k] = text
					}
					i = -1
				case "li", "Alt", "Seq", "Bag":
				default:
					i = -1
				}
			}
		}
	}
	return out
}
