package cos

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/findspot/findspot/internal/errs"
)

// A Filter is one step of a stream's encoding, by its full name.
type Filter struct {
	Name  string
	Parms Dict // never nil; references in it are not followed
}

// Decode returns the bytes of a stream, decrypted and decoded as far as filters for anything but images go. rest are the
// filters that were not applied, beginning with that of an image (DCTDecode, JPXDecode, CCITTFaxDecode, JBIG2Decode) or
// with one that is not known; it is nil when data is complete. What could be decoded before a fault is returned with the
// error, which wraps errs.Format or errs.TooLarge (over 64 MiB), or is ctx's. spend, which may be nil, is told how many bytes
// each filter gave, and ends the decoding by an error, which is wrapped.
func (s *Stream) Decode(ctx context.Context, spend func(bytes int) error) (data []byte, rest []Filter, err error) {
	return s.decode(ctx, spend, 0)
}

// Raw returns the bytes of a stream as they are in the file, decrypted.
func (s *Stream) Raw(ctx context.Context) ([]byte, error) {
	r, n, err := s.open(ctx, 0)
	if err != nil {
		return nil, err
	}
	out, err := readAll(ctx, s.f, r, maxDecoded, int(n)+1)
	return out, s.fault(err)
}

func (s *Stream) entry(ctx context.Context, depth int, keys ...string) Object {
	for _, k := range keys {
		if o := s.f.resolve(ctx, s.Dict[k], depth); o != nil {
			return o
		}
	}
	return nil
}

func (s *Stream) filters(ctx context.Context, depth int) []Filter {
	var list []Filter
	parms := s.entry(ctx, depth, "DecodeParms", "DP")
	add := func(o Object, i int) {
		n, ok := s.f.resolve(ctx, o, depth).(Name)
		if !ok || len(list) > maxFilters {
			return
		}
		flt := Filter{Name: fullName(string(n))}
		p := parms
		if a, ok := p.(Array); ok {
			p = nil
			if i < len(a) {
				p = s.f.resolve(ctx, a[i], depth)
			}
		}
		if flt.Parms, _ = p.(Dict); flt.Parms == nil {
			flt.Parms = Dict{}
		}
		list = append(list, flt)
	}
	switch v := s.entry(ctx, depth, "Filter", "F").(type) {
	case Name:
		add(v, 0)
	case Array:
		for i, o := range v {
			add(o, i)
		}
	}
	return list
}

func fullName(n string) string {
	switch n {
	case "Fl":
		return "FlateDecode"
	case "LZW":
		return "LZWDecode"
	case "AHx":
		return "ASCIIHexDecode"
	case "A85":
		return "ASCII85Decode"
	case "RL":
		return "RunLengthDecode"
	case "DCT":
		return "DCTDecode"
	case "CCF":
		return "CCITTFaxDecode"
	}
	return n
}

func (s *Stream) fault(err error) error {
	if err == nil {
		return nil
	}
	return s.f.fault(fmt.Sprintf("stream of object %d at byte %d", s.ref.Num, s.at), err)
}

// open returns a reader of the stream's decrypted bytes, and how many there are at most.
func (s *Stream) open(ctx context.Context, depth int) (io.Reader, int64, error) {
	if s.mem != nil {
		return &ctxReader{ctx, bytes.NewReader(s.mem)}, int64(len(s.mem)), nil
	}
	n, err := s.extent(ctx, depth)
	if err != nil {
		return nil, 0, err
	}
	var r io.Reader = &ctxReader{ctx, io.NewSectionReader(s.f.r, s.at, n)}
	if s.f.crypt != nil && !s.plain {
		method := s.f.crypt.stream
		for _, flt := range s.filters(ctx, depth) {
			if flt.Name == "Crypt" {
				name, _ := s.f.resolve(ctx, flt.Parms["Name"], depth).(Name)
				method = s.f.crypt.filter(name)
			}
		}
		t, _ := s.Dict["Type"].(Name)
		if t == "XRef" || t == "Metadata" && s.f.crypt.plainMeta {
			method = methodNone
		}
		r = s.f.crypt.reader(r, s.ref, method)
	}
	return r, n, nil
}

// extent returns the number of the stream's bytes. The length that the dictionary states counts when "endstream" follows.
func (s *Stream) extent(ctx context.Context, depth int) (int64, error) {
	if n := s.length.Load(); n > 0 {
		return n - 1, nil
	}
	f := s.f
	stated := int64(-1)
	if v, ok := f.resolve(ctx, s.Dict["Length"], depth+1).(Integer); ok && v >= 0 && int64(v) <= f.size-s.at {
		stated = int64(v)
	}
	if stated >= 0 {
		if b, last, release, err := f.window(s.at+stated, 64); err == nil {
			i := 0
			for i < len(b) && classes[b[i]] == Space {
				i++
			}
			ok := bytes.HasPrefix(b[i:], []byte("endstream")) || bytes.HasPrefix(b[i:], []byte("endobj")) || last && i == len(b)
			release()
			if ok {
				s.length.Store(stated + 1)
				return stated, nil
			}
		} else if s.at+stated == f.size {
			s.length.Store(stated + 1)
			return stated, nil
		}
	}
	n, err := s.search(ctx)
	if err != nil {
		return 0, err
	}
	if n < 0 { // no end: what is stated, else all that is left
		if n = stated; n < 0 {
			n = f.size - s.at
		}
	}
	s.length.Store(n + 1)
	return n, nil
}

// search looks for "endstream", or else "endobj", and returns how many bytes come before it; -1 when there is neither, or
// when too much of the file has been searched for other streams before.
func (s *Stream) search(ctx context.Context) (int64, error) {
	f := s.f
	const chunk, keep = 64 << 10, 16
	other := int64(-1)
	for from := s.at; from < f.size; from += chunk - keep {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if f.sought.Add(chunk) > 4*f.size+64<<20 {
			return -1, nil
		}
		b, _, release, err := f.window(from, chunk)
		if err != nil {
			return 0, s.fault(err)
		}
		end := int64(-1)
		if i := bytes.Index(b, []byte("endstream")); i >= 0 {
			end = from + int64(i)
		}
		if i := bytes.Index(b, []byte("endobj")); i >= 0 && other < 0 {
			other = from + int64(i)
		}
		release()
		if end >= 0 {
			return s.trim(end), nil
		}
		if other >= 0 && from-other > 1<<20 {
			break
		}
	}
	if other >= 0 {
		return s.trim(other), nil
	}
	return -1, nil
}

// trim leaves out the line end before an offset and returns the length of the stream up to there.
func (s *Stream) trim(end int64) int64 {
	n := end - s.at
	if n <= 0 {
		return 0
	}
	k := min(n, 2)
	b, _, release, err := s.f.window(end-k, k)
	if err != nil {
		return n
	}
	defer release()
	switch {
	case k == 2 && b[0] == '\r' && b[1] == '\n':
		return n - 2
	case b[k-1] == '\n' || b[k-1] == '\r':
		return n - 1
	}
	return n
}

// decode is Decode for a stream that is needed to read another object, depth levels above.
func (s *Stream) decode(ctx context.Context, spend func(int) error, depth int) (data []byte, rest []Filter, err error) {
	list := s.filters(ctx, depth)
	r, n, err := s.open(ctx, depth)
	if err != nil {
		return nil, nil, err
	}
	if len(list) > maxFilters {
		return nil, list, s.fault(fmt.Errorf("%w: over %d filters", errs.TooLarge, maxFilters))
	}
	for len(list) > 0 && list[0].Name == "Crypt" {
		list = list[1:]
	}
	if spend == nil {
		spend = func(int) error { return nil }
	}
	first := true
	var fault error
	if len(list) == 0 || list[0].Name != "FlateDecode" {
		if data, err = readAll(ctx, s.f, r, maxDecoded, int(n)+1); err != nil {
			fault = err
		}
		first = false
		if err := spend(len(data)); err != nil {
			return nil, nil, s.fault(err)
		}
	}
	for i := range list {
		flt := &list[i]
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		var err error
		switch flt.Name {
		case "Crypt":
			continue
		case "FlateDecode":
			if first {
				data, err = s.inflateFirst(ctx, r, n, depth)
			} else {
				data, err = unflate(ctx, s.f, data)
			}
		case "LZWDecode":
			data, err = unLZW(ctx, data, s.integer(ctx, flt.Parms, "EarlyChange", 1, depth) != 0)
		case "ASCIIHexDecode":
			data = unHex(data)
		case "ASCII85Decode":
			data = un85(data)
		case "RunLengthDecode":
			data, err = unRunLength(ctx, data)
		default:
			return data, list[i:], s.fault(fault)
		}
		first = false
		if err := spend(len(data)); err != nil {
			return nil, nil, s.fault(err)
		}
		if flt.Name == "FlateDecode" || flt.Name == "LZWDecode" {
			data = s.unpredict(ctx, data, flt.Parms, depth)
		}
		if err != nil && fault == nil {
			fault = fmt.Errorf("%s after %d bytes: %w", flt.Name, len(data), err)
		}
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return data, nil, s.fault(fault)
}

func (s *Stream) integer(ctx context.Context, d Dict, key string, def, depth int) int {
	switch v := s.f.resolve(ctx, d[key], depth).(type) {
	case Integer:
		return int(max(min(v, 1<<30), -1<<30))
	case Float:
		return int(max(min(v, 1<<30), -1<<30))
	}
	return def
}

// inflateFirst decompresses while it reads. When nothing comes out, it tries again from the bytes in memory.
func (s *Stream) inflateFirst(ctx context.Context, r io.Reader, n int64, depth int) ([]byte, error) {
	if n <= 1<<20 {
		raw, err := readAll(ctx, s.f, r, maxDecoded, int(n)+1)
		if err != nil {
			return nil, err
		}
		return unflate(ctx, s.f, raw)
	}
	out, err := inflateFrom(ctx, s.f, r, true, int(n))
	if len(out) == 0 && err != nil && ctx.Err() == nil {
		r, _, err2 := s.open(ctx, depth)
		if err2 != nil {
			return nil, err2
		}
		raw, err2 := readAll(ctx, s.f, r, maxDecoded, int(n)+1)
		if err2 != nil {
			return nil, err2
		}
		return unflate(ctx, s.f, raw)
	}
	return out, err
}

// A ctxReader fails when the context is done.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *ctxReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}

var errSize = fmt.Errorf("%w: over %d bytes", errs.TooLarge, maxDecoded)

// readAll reads up to limit bytes; guess is how many to expect. What was read before an error is returned with it. From
// bigDecoded on it waits until only few others hold as much.
func readAll(ctx context.Context, f *File, r io.Reader, limit, guess int) ([]byte, error) {
	out := make([]byte, 0, min(max(guess, 512), limit+1, bigDecoded))
	held := false
	defer func() {
		if held {
			<-f.big
		}
	}()
	for {
		if len(out) == cap(out) {
			if !held && cap(out) >= bigDecoded {
				select {
				case f.big <- struct{}{}:
					held = true
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}
			grown := make([]byte, len(out), min(2*cap(out), limit+1))
			copy(grown, out)
			out = grown
		}
		n, err := r.Read(out[len(out):min(cap(out), len(out)+1<<17)])
		out = out[:len(out)+n]
		switch {
		case len(out) > limit:
			return out[:limit], errSize
		case err == io.EOF:
			return out, nil
		case err != nil:
			return out, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
}
