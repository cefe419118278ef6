package cos

import (
	"context"
	"errors"
)

// unLZW decodes PDF's LZW (ISO 32000-1, 7.4.4.2): codes of 9 to 12 bits, most significant bit first, 256 clears, 257
// ends. early: codes grow one code before they must.
func unLZW(ctx context.Context, data []byte, early bool) ([]byte, error) {
	type entry struct {
		prev int32
		n    int32
		c    byte
	}
	table := make([]entry, 4096)
	for i := range 256 {
		table[i] = entry{-1, 1, byte(i)}
	}
	var out []byte
	next, width, prev := 258, 9, -1
	var acc uint32
	var have, late int
	if early {
		late = 1
	}
	for at, b := range data {
		if at&0xFFF == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		acc = acc<<8 | uint32(b)
		have += 8
		if have < width {
			continue
		}
		code := int(acc>>(have-width)) & (1<<width - 1)
		have -= width
		switch {
		case code == 256:
			next, width, prev = 258, 9, -1
			continue
		case code == 257:
			return out, nil
		case len(out) > maxDecoded:
			return out[:maxDecoded], errSize
		}
		emit := code
		if code >= next {
			if prev < 0 || code > next {
				return out, errors.New("a code that is not defined")
			}
			emit = prev
		}
		n := int(table[emit].n)
		from := len(out)
		for range n {
			out = append(out, 0)
		}
		for i, e := from+n-1, emit; i >= from; i-- {
			out[i] = table[e].c
			e = int(table[e].prev)
		}
		if code >= next {
			out = append(out, out[from])
		}
		if prev >= 0 && next < 4096 {
			table[next] = entry{int32(prev), table[prev].n + 1, out[from]}
			next++
		}
		if width < 12 && next+late >= 1<<width {
			width++
		}
		prev = code
	}
	return out, nil
}
