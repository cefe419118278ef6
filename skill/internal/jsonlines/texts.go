package jsonlines

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/findspot/findspot/internal/errs"
)

const minSame = 256 // bytes from which a text is written once

// texts knows the long texts of a record, in JSON form, by the hash of that form.
type texts map[[sha256.Size]byte][]byte

// The key under which a line says that a text was there before. A key of a tool's own that reads like it gets a tilde.
const sameKey = "same_as"

// Fold puts a reference in place of each long text that an earlier line had. line is compact JSON.
func (s texts) fold(line []byte) []byte {
	if len(line) < minSame && !bytes.Contains(line, []byte(sameKey)) {
		return line
	}
	out := make([]byte, 0, len(line))
	from := 0
	for at := range jsonStrings(line) {
		text := line[at[0]:at[1]]
		if isKey := at[1] < len(line) && line[at[1]] == ':'; isKey {
			if name := bytes.TrimLeft(text[1:len(text)-1], "~"); string(name) == sameKey {
				out = append(append(out, line[from:at[0]+1]...), '~')
				from = at[0] + 1
			}
			continue
		}
		if len(text) < minSame {
			continue
		}
		sum := sha256.Sum256(text)
		if _, there := s[sum]; !there {
			s[sum] = nil // a writer need not keep it
			continue
		}
		out = append(out, line[from:at[0]]...)
		out = fmt.Appendf(out, `{"%s":"%x"}`, sameKey, sum)
		from = at[1]
	}
	return append(out, line[from:]...)
}

// unfold undoes fold. It fails for a reference to nothing, and when more than budget bytes come of it.
func (s texts) unfold(line []byte, budget *int64) ([]byte, error) {
	out := make([]byte, 0, len(line))
	from := 0
	open := []byte(`{"` + sameKey + `":"`)
	for at := range jsonStrings(line) {
		if at[0] < from {
			continue // within a reference
		}
		text := line[at[0]:at[1]]
		if isKey := at[1] < len(line) && line[at[1]] == ':'; !isKey {
			if len(text) >= minSame {
				s[sha256.Sum256(text)] = bytes.Clone(text)
			}
			continue
		}
		name := text[1 : len(text)-1]
		if bytes.HasPrefix(name, []byte("~")) && string(bytes.TrimLeft(name, "~")) == sameKey {
			out = append(out, line[from:at[0]+1]...)
			from = at[0] + 2
			continue
		}
		if string(name) != sameKey {
			continue
		}
		end := at[1] + 1 + 1 + 2*sha256.Size + 1 + 1 // :"hash"}
		if at[0] == 0 || end > len(line) || !bytes.HasPrefix(line[at[0]-1:], open) || line[end-1] != '}' {
			return nil, fmt.Errorf("%q is no reference: %w", sameKey, errs.Format)
		}
		var sum [sha256.Size]byte
		if _, err := hex.Decode(sum[:], line[at[1]+2:end-2]); err != nil {
			return nil, fmt.Errorf("%q: %v: %w", sameKey, err, errs.Format)
		}
		was, ok := s[sum]
		if !ok {
			return nil, fmt.Errorf("a text is said to stand in an earlier line, and does not: %w", errs.Format)
		}
		if *budget -= int64(len(was)); *budget < 0 {
			return nil, fmt.Errorf("texts over %d bytes: %w", maxRecord, errs.TooLarge)
		}
		out = append(append(out, line[from:at[0]-1]...), was...)
		from = end
	}
	return append(out, line[from:]...), nil
}

// jsonStrings gives the half-open ranges of the texts of a compact JSON value, quotes included, in order.
func jsonStrings(line []byte) func(yield func([2]int) bool) {
	return func(yield func([2]int) bool) {
		for i := 0; i < len(line); i++ {
			if line[i] != '"' {
				continue
			}
			end := i + 1
			for end < len(line) && line[end] != '"' {
				if line[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(line) || !yield([2]int{i, end + 1}) {
				return
			}
			i = end
		}
	}
}
