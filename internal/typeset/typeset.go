package typeset

import (
	"crypto/md5"
	"crypto/rc4"
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
	return file(objects(pages, nil), "")
}

// Signed is PDF with a signature in a field, whose bytes are those of no certificate.
func Signed(pages ...[]Line) string {
	list := objects(pages, nil)
	n := len(list)
	list[0] = fmt.Sprintf("<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [%d 0 R] >> >>", n+2)
	list = append(list, "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 9 11 9] /Contents <00> >>",
		fmt.Sprintf("<< /FT /Sig /T (Signature) /V %d 0 R >>", n+1))
	return file(list, "")
}

// padding fills passwords up (ISO 32000-1, 7.6.3.3).
const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// Encrypted is PDF with the standard encryption of 40 bits and no password, so that everybody can read it.
func Encrypted(pages ...[]Line) string {
	const id = "0123456789abcdef"
	hash := func(s string, n int) string {
		sum := md5.Sum([]byte(s))
		return string(sum[:n])
	}
	owner := rc4With(hash(padding, 5), padding)
	key := hash(padding+owner+"\xFC\xFF\xFF\xFF"+id, 5) // the permissions are -4
	list := objects(pages, func(object int, content string) string {
		return rc4With(hash(key+string([]byte{byte(object), byte(object >> 8), byte(object >> 16), 0, 0}), 10), content)
	})
	list = append(list, fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /P -4 /O <%x> /U <%x> >>", owner, rc4With(key, padding)))
	return file(list, fmt.Sprintf(" /Encrypt %d 0 R /ID [<%x> <%x>]", len(list), id, id))
}

func rc4With(key, s string) string {
	c, err := rc4.NewCipher([]byte(key))
	if err != nil {
		panic(err) // the length is ours
	}
	out := make([]byte, len(s))
	c.XORKeyStream(out, []byte(s))
	return string(out)
}

// objects are those of a document, the first of number 1. code is what becomes of the content of a stream; nil leaves it as it is.
func objects(pages [][]Line, code func(object int, content string) string) []string {
	list := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
	var kids []string
	for _, lines := range pages {
		var b strings.Builder
		b.WriteString("BT /F 11 Tf 60 774 Td ")
		for _, l := range lines {
			down := l.Down
			if down == 0 {
				down = 14
			}
			fmt.Fprintf(&b, "0 -%d Td (%s) Tj ", down, strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(l.Text))
		}
		b.WriteString("ET")
		content := b.String()
		if code != nil {
			content = code(len(list)+1, content)
		}
		list = append(list, fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content))
		list = append(list, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents %d 0 R >>", len(list)))
		kids = append(kids, fmt.Sprintf("%d 0 R", len(list)))
	}
	list[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids))
	return list
}

// file writes objects with a table of where they are. trailer is what the trailer has beside the usual.
func file(list []string, trailer string) string {
	var out, table strings.Builder
	out.WriteString("%PDF-1.4\n")
	for i, o := range list {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n", len(list)+1, table.String(), len(list)+1, trailer, start)
	return out.String()
}
