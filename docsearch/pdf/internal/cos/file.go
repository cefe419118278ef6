package cos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/findspot/findspot/internal/errs"
)

// Options say how a file is read. Nil is fine.
type Options struct {
	Password string // tried as user and as owner password, after the empty one
	// Note is told of every object that could not be read and of what was done instead; at most 100 times. It is called
	// from whatever goroutine met the fault. It may be nil.
	Note func(error)
}

// A File is an opened PDF. It is safe for concurrent use, as far as its io.ReaderAt is.
type File struct {
	r       io.ReaderAt
	size    int64
	base    int64 // added to every offset that the file states: what stands in front of the header
	main    *table
	trailer Dict
	crypt   *crypt // nil: not encrypted
	scanned bool   // main comes from a scan of the file
	gaps    bool   // a cross-reference section could not be read: what main lacks may be in the file
	note    func(error)
	notes   atomic.Int32
	sought  atomic.Int64 // bytes searched for the ends of streams
	read    atomic.Int64 // bytes of large objects and object streams, each time they were read
	big     chan struct{}

	objects cache
	streams streamCache

	mu   sync.Mutex // held while the file is scanned
	scan atomic.Pointer[table]
}

// Open reads the cross-references of a PDF of size bytes. Errors wrap errs.Format (no PDF, or nothing in it can be
// found), errs.Encrypted (the password does not open it) or errs.TooLarge.
func Open(ctx context.Context, r io.ReaderAt, size int64, o *Options) (*File, error) {
	f := &File{r: r, size: size, big: make(chan struct{}, bigAtOnce)}
	password := ""
	if o != nil {
		password, f.note = o.Password, o.Note
	}
	head := make([]byte, min(size, headerWithin))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, fmt.Errorf("header: %w", err)
	}
	header := bytes.Index(head, []byte("%PDF-"))
	err := f.readXRefs(ctx, int64(max(header, 0)))
	if err == nil {
		err = f.unlock(ctx, password)
	}
	if err == nil && !f.hasPages(ctx) {
		err = fmt.Errorf("%w: no page tree", errs.Format)
	}
	if err == nil || ctx.Err() != nil || errors.Is(err, errs.Encrypted) {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return f.opened(err)
	}
	f.report(fmt.Errorf("%w; looking for objects in the whole file", err))
	if err2 := f.salvage(ctx, password); err2 != nil {
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err2, errs.Encrypted), errors.Is(err2, errs.TooLarge):
			return nil, err2
		case header < 0:
			return nil, fmt.Errorf("%w: not a PDF: it does not begin with %%PDF-", errs.Format)
		}
		return nil, err
	}
	return f, nil
}

func (f *File) opened(err error) (*File, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// salvage opens the file by what a scan finds.
func (f *File) salvage(ctx context.Context, password string) error {
	f.objects.clear()
	f.streams.clear()
	f.crypt, f.base, f.scanned = nil, 0, true
	t, trailer, err := f.rebuild(ctx, func(trailer Dict) error {
		f.trailer = trailer
		return f.unlock(ctx, password)
	})
	if err != nil {
		return err
	}
	f.main, f.trailer = t, trailer
	f.objects.clear()
	if t.used() == 0 {
		return fmt.Errorf("%w: no objects", errs.Format)
	}
	return nil
}

// hasPages reports whether the catalog and the root of the page tree are there.
func (f *File) hasPages(ctx context.Context) bool {
	pages, ok := f.Resolve(ctx, f.Catalog(ctx)["Pages"]).(Dict)
	return ok && (pages["Kids"] != nil || pages["Type"] != nil)
}

// Trailer returns the trailer dictionary, the newest where there are several. It must not be changed.
func (f *File) Trailer() Dict { return f.trailer }

// Catalog returns the document catalog, nil when there is none.
func (f *File) Catalog(ctx context.Context) Dict {
	d, _ := f.Resolve(ctx, f.trailer["Root"]).(Dict)
	return d
}

// Encrypted reports whether the file is encrypted.
func (f *File) Encrypted() bool { return f.crypt != nil }

// Numbers returns the numbers of all objects that are known, ascending. A scan of the file adds what its cross-references
// lack; without one it is nil.
func (f *File) Numbers(ctx context.Context, scan bool) ([]int, error) {
	var extra *table
	if scan && !f.scanned {
		t, err := f.fallback(ctx)
		if err != nil {
			return nil, err
		}
		extra = t
	}
	var out []int
	n := len(f.main.entries)
	if extra != nil {
		n = max(n, len(extra.entries))
	}
	for i := 1; i < n; i++ {
		if f.main.get(i).used() || extra != nil && extra.get(i).used() {
			out = append(out, i)
		}
	}
	return out, nil
}

// report passes a fault on.
func (f *File) report(err error) {
	if f.note != nil && f.notes.Add(1) <= maxNotes {
		f.note(err)
	}
}

// Resolve follows references to an object. A broken or endless chain is nil; why is told to Options.Note.
func (f *File) Resolve(ctx context.Context, o Object) Object {
	if _, ok := o.(Ref); !ok {
		return o
	}
	return f.resolve(ctx, o, 0)
}

// depth counts objects that are read in order to read another one.
func (f *File) resolve(ctx context.Context, o Object, depth int) Object {
	for range maxResolve {
		r, ok := o.(Ref)
		if !ok {
			return o
		}
		v, err := f.load(ctx, r.Num, depth)
		if err != nil {
			if ctx.Err() == nil {
				f.report(err)
			}
			return nil
		}
		o = v
	}
	f.report(fmt.Errorf("%w: object %v: references without end", errs.Format, o))
	return nil
}

// Load reads one object. An object that is not in the file is nil, without an error (ISO 32000-1, 7.3.10).
func (f *File) Load(ctx context.Context, num int) (Object, error) { return f.load(ctx, num, 0) }

func (f *File) load(ctx context.Context, num, depth int) (Object, error) {
	if o, ok := f.objects.get(num); ok {
		return o, nil
	}
	if depth > maxResolve {
		return nil, fmt.Errorf("%w: object %d: needs itself to be read", errs.Format, num)
	}
	e := f.main.get(num)
	if !e.used() && !f.gaps {
		return nil, nil
	}
	var o Object
	var cost int
	var err error
	if e.used() {
		o, cost, err = f.fetch(ctx, f.main, num, e, depth)
	}
	if (err != nil || !e.used()) && ctx.Err() == nil && !f.scanned {
		t, err2 := f.fallback(ctx)
		if err2 != nil {
			return nil, err2
		}
		if e2 := t.get(num); e2.used() {
			if o2, cost2, err2 := f.fetch(ctx, t, num, e2, depth); err2 == nil {
				if err != nil {
					f.report(fmt.Errorf("%w; found elsewhere", err))
				}
				o, cost, err = o2, cost2, nil
			}
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return f.objects.put(num, o, cost), nil
}

// spend counts bytes of objects that are read, perhaps again and again because they are too many to be kept.
func (f *File) spend(n int) error {
	if most := maxRead + 8*f.size; f.read.Add(int64(n)) > most {
		return fmt.Errorf("%w: objects of over %d bytes", errs.TooLarge, most)
	}
	return nil
}

// fallback returns what a scan of the whole file finds, made once.
func (f *File) fallback(ctx context.Context) (*table, error) {
	if t := f.scan.Load(); t != nil {
		return t, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if t := f.scan.Load(); t != nil {
		return t, nil
	}
	t, _, err := f.rebuild(ctx, nil)
	if err != nil {
		return nil, err
	}
	f.scan.Store(t)
	return t, nil
}

// fetch reads the object that an entry of a table points to, and estimates its size in memory.
func (f *File) fetch(ctx context.Context, t *table, num int, e entry, depth int) (Object, int, error) {
	if c, i := e.inStream(); c != 0 {
		s, err := f.objectStream(ctx, t, c, depth+1)
		if err != nil {
			return nil, 0, fmt.Errorf("object %d in %w", num, err)
		}
		o, cost, err := s.object(num, i)
		if err != nil {
			return nil, 0, fmt.Errorf("object %d in object stream %d: %w", num, c, err)
		}
		return o, cost, nil
	}
	got, o, cost, err := f.at(ctx, e.offset(), true)
	if err == nil && got.Num != num {
		err = fmt.Errorf("object %d stands there", got.Num)
	}
	if err != nil {
		return nil, 0, f.fault(fmt.Sprintf("object %d %d at byte %d", num, e.gen(), e.offset()), err)
	}
	return o, cost, nil
}

// fault names the place of an error and says of what kind it is.
func (f *File) fault(where string, err error) error {
	for _, kind := range []error{errs.Format, errs.TooLarge, errs.Encrypted, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, kind) {
			return fmt.Errorf("%s: %w", where, err)
		}
	}
	return fmt.Errorf("%w: %s: %w", errs.Format, where, err)
}

var windows = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

// window reads up to n bytes from an offset on; last says that the file ends there. The bytes are good until release.
func (f *File) window(off, n int64) (b []byte, last bool, release func(), err error) {
	if off < 0 || off >= f.size {
		return nil, true, func() {}, fmt.Errorf("outside the file of %d bytes", f.size)
	}
	n = min(n, f.size-off)
	buf := windows.Get().(*[]byte)
	if int64(cap(*buf)) < n {
		*buf = make([]byte, n)
	}
	b = (*buf)[:n]
	release = func() {
		if cap(*buf) <= 64<<10 {
			windows.Put(buf)
		}
	}
	k, err := f.r.ReadAt(b, off)
	if int64(k) < n {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		release()
		return nil, true, func() {}, err
	}
	return b, off+n >= f.size, release, nil
}

// at reads the indirect object at an offset.
func (f *File) at(ctx context.Context, off int64, decrypt bool) (r Ref, o Object, cost int, err error) {
	for n := int64(2048); ; n *= 4 {
		if err := ctx.Err(); err != nil {
			return r, nil, 0, err
		}
		if n > largeObject {
			if err := f.spend(int(n)); err != nil {
				return r, nil, 0, err
			}
		}
		b, last, release, err := f.window(off, n)
		if err != nil {
			return r, nil, 0, err
		}
		p := parser{in: b, last: last}
		r, o, err = f.indirect(&p, off, decrypt)
		release()
		if err == errShort {
			if n > maxObjectBytes {
				return r, nil, 0, fmt.Errorf("%w: over %d bytes", errs.TooLarge, maxObjectBytes)
			}
			continue
		}
		return r, o, 64 + p.pos + 32*p.items, err
	}
}

// indirect reads "N G obj" and the object behind it. off is where the parser's input begins in the file.
func (f *File) indirect(p *parser, off int64, decrypt bool) (Ref, Object, error) {
	num, gen, ok := p.header()
	if !ok {
		if !p.last && p.pos+32 > len(p.in) {
			return Ref{}, nil, errShort
		}
		return Ref{}, nil, errors.New("no object stands there")
	}
	r := Ref{num, gen}
	if decrypt && f.crypt != nil && f.crypt.ref != r {
		p.dec = f.crypt.stringKey(r)
	}
	o, data, err := p.body()
	if err != nil {
		return r, nil, err
	}
	if d, ok := o.(Dict); ok && data >= 0 {
		return r, &Stream{Dict: d, f: f, ref: r, at: off + int64(data)}, nil
	}
	return r, o, nil
}

// NewStream returns a stream whose bytes are at hand, not encrypted, such as the data of an inline image. Both are kept.
func (f *File) NewStream(d Dict, data []byte) *Stream {
	return &Stream{Dict: d, f: f, mem: data, plain: true}
}
