package pdf

import (
	"bytes"
	"fmt"
	"sort"
)

// rebuild makes a cross-reference table for a file whose own cannot be used: it finds every "N G obj" and the last
// trailer or catalog, and appends a table and trailer to the bytes. It reports false when there is no catalog.
// Objects inside object streams stay out of reach.
func rebuild(data []byte) ([]byte, bool) {
	offsets := map[int]int{}
	gens := map[int]int{}
	root, encrypt, info := "", "", ""
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte("obj"))
		if i < 0 {
			break
		}
		i += at
		at = i + 3
		if i >= 3 && string(data[i-3:i]) == "end" {
			continue
		}
		j, gen, ok := backNumber(data, i)
		if !ok {
			continue
		}
		j, num, ok := backNumber(data, j)
		if !ok || num <= 0 || num > 4_000_000 {
			continue
		}
		offsets[num], gens[num] = j, gen
		body := data[at:min(at+2048, len(data))]
		if e := bytes.Index(body, []byte("endobj")); e >= 0 {
			body = body[:e]
		}
		if hasType(body, "Catalog") {
			root = fmt.Sprintf("%d %d R", num, gen)
		}
	}
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte("trailer"))
		if i < 0 {
			break
		}
		at += i + 7
		l := lexer{in: data[at:min(at+4096, len(data))]}
		if t := l.next(); t.kind == tokDictOpen {
			d := l.value(t, 0)
			if r := refIn(d, "Encrypt"); r != "" {
				encrypt = r
			}
			if r := refIn(d, "Info"); r != "" {
				info = r
			}
		}
	}
	if root == "" || encrypt != "" || len(offsets) == 0 {
		return nil, false
	}
	nums := make([]int, 0, len(offsets))
	for n := range offsets {
		nums = append(nums, n)
	}
	sort.Ints(nums)
	var b bytes.Buffer
	b.Grow(len(data) + 32*len(nums) + 256)
	b.WriteString("%PDF-1.7\n")
	start := b.Len()
	b.Write(data)
	// A header that is wrong, and references to the file's own tables, would be followed again.
	copied := b.Bytes()[start:]
	for _, word := range []string{"%PDF-", "startxref", "trailer"} {
		for at := 0; ; {
			i := bytes.Index(copied[at:], []byte(word))
			if i < 0 {
				break
			}
			at += i + len(word)
			copied[at-1] = '_'
		}
	}
	b.WriteString("\n")
	xref := b.Len()
	b.WriteString("xref\n0 1\n0000000000 65535 f \n")
	for _, n := range nums {
		fmt.Fprintf(&b, "%d 1\n%010d %05d n \n", n, offsets[n]+start, gens[n])
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root %s", nums[len(nums)-1]+1, root)
	if info != "" {
		fmt.Fprintf(&b, "/Info %s", info)
	}
	fmt.Fprintf(&b, ">>\nstartxref\n%d\n%%%%EOF\n", xref)
	return b.Bytes(), true
}

// backNumber reads the integer that ends before end, white space between, and returns where it starts.
func backNumber(data []byte, end int) (start, v int, ok bool) {
	i := end
	for i > 0 && charClass[data[i-1]] == classSpace {
		i--
	}
	j := i
	for j > 0 && i-j < 10 && data[j-1] >= '0' && data[j-1] <= '9' {
		j--
	}
	if j == i {
		return 0, 0, false
	}
	for _, c := range data[j:i] {
		v = v*10 + int(c-'0')
	}
	return j, v, true
}

// hasType reports whether an object's first bytes hold /Type /name.
func hasType(body []byte, name string) bool {
	for at := 0; ; {
		i := bytes.Index(body[at:], []byte("/Type"))
		if i < 0 {
			return false
		}
		at += i + 5
		rest := bytes.TrimLeft(body[at:], " \t\r\n")
		if bytes.HasPrefix(rest, []byte("/"+name)) {
			return true
		}
	}
}

// refIn returns the reference under key in a dictionary operand, as "N G R". The operands read "N", "G", "R" apart.
func refIn(d operand, key string) string {
	for i := 0; i+3 < len(d.items); i++ {
		it := d.items
		if it[i].kind == tokName && string(it[i].bytes) == key && it[i+1].kind == tokNumber && it[i+2].kind == tokNumber &&
			string(it[i+3].bytes) == "R" {
			return fmt.Sprintf("%d %d R", int(it[i+1].num), int(it[i+2].num))
		}
	}
	return ""
}
