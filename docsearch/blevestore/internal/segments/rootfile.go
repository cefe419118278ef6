package segments

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"path/filepath"
	"time"

	"github.com/blevesearch/bleve/v2/util"

	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

// The engine keeps its list of segments in index/root.bolt, which it holds locked while a process writes. Its pages are never
// written over while the newest state needs them, and a state becomes the newest by one small page, which has a checksum.
// So the newest state can be read without the lock: when the same state is the newest before and after, nothing of it was
// written meanwhile. What stands here follows the file format of bbolt (version 2).
const (
	BoltFile    = "root.bolt"
	BoltMagic   = 0xED0CDAED
	boltVersion = 2

	PageHeader  = 16 // id u64, flags u16, count u16, overflow u32
	MetaSize    = 64
	ElementSize = 16 // of branch and leaf pages alike
	PageBranch  = 1
	pageLeaf    = 2
	PageFree    = 16
	leafBucket  = 1
	noFreeList  = math.MaxUint64 // in place of the page of the list of free pages

	minPage, maxPage = 4 << 10, 1 << 20 // the engine takes the system's page
	maxRootFile      = 1 << 30
	maxDepth         = 64 // of pages and of buckets
)

// A State is one state of the index, as root.bolt tells it.
type State struct {
	File     []byte // root.bolt with this state alone to be found in it; whole pages
	Change   uint64 // number of the engine's last write; grows, also where only files were merged
	Segments []segmentFile
	Stats    []byte // internal value statsKey; nil: none yet
}

type segmentFile struct {
	Name    string
	deleted []byte // as stored; nil: none
}

// ErrMoving says that the file was written each time it was read.
var ErrMoving = errors.New("the index is written without a pause")

type BoltMeta struct {
	PageSize               int64
	Root, Free, Pages, seq uint64 // root page; page of the list of free ones; pages in use; transaction
	At                     int64  // where the page that holds it begins
}

// ReadMeta returns the newest state's page: the one that the engine takes.
func ReadMeta(r io.ReaderAt) (BoltMeta, error) {
	buf := make([]byte, PageHeader+MetaSize)
	try := func(at int64) (m BoltMeta, ok bool, err error) {
		if _, err := r.ReadAt(buf, at); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return m, false, err
		}
		b, u := buf[PageHeader:], binary.NativeEndian
		sum := fnv.New64a()
		sum.Write(b[:MetaSize-8])
		if u.Uint32(b) != BoltMagic || u.Uint32(b[4:]) != boltVersion || sum.Sum64() != u.Uint64(b[MetaSize-8:]) {
			return m, false, nil
		}
		m = BoltMeta{PageSize: int64(u.Uint32(b[8:])), Root: u.Uint64(b[16:]), Free: u.Uint64(b[32:]), Pages: u.Uint64(b[40:]), seq: u.Uint64(b[48:]), At: at}
		if m.PageSize < minPage || m.PageSize > maxPage || m.Pages < 2 || m.Pages > uint64(maxRootFile/m.PageSize) {
			return m, false, fmt.Errorf("%w: %s names %d pages of %d bytes", errs.Format, BoltFile, m.Pages, m.PageSize)
		}
		return m, true, nil
	}
	found, ok, err := try(0)
	if err != nil {
		return found, err
	}
	if ok {
		second, both, err := try(found.PageSize)
		if err != nil {
			return found, err
		}
		if both && second.PageSize != found.PageSize {
			return found, errPages
		}
		if both && second.seq > found.seq {
			found = second
		}
		return found, nil
	}
	for size := int64(1 << 10); size <= maxPage; size *= 2 { // the first page is broken or half written: look where the second may be
		found, ok, err = try(size)
		if err == nil && ok && size != found.PageSize {
			err = errPages
		}
		if err != nil || ok {
			return found, err
		}
	}
	return found, fmt.Errorf("%w: no state in %s is whole", errs.Format, BoltFile)
}

// LastChange returns the number of the engine's last write to the index in dir.
func LastChange(dir string) (uint64, error) {
	f, err := disk.OpenFile(filepath.Join(dir, BoltFile))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	m, err := ReadMeta(f)
	return m.seq, err
}

// ReadState reads the newest state of the index in dir, beside a process that writes. It tries for up to wait.
func ReadState(dir string, wait time.Duration) (*State, error) {
	begin := time.Now()
	for {
		st, err := tryState(filepath.Join(dir, BoltFile))
		// A file that is being made, or of which a page was half written when it was read, looks broken for a moment.
		if errors.Is(err, errs.Format) {
			wait = min(wait, halfWritten)
		} else if !errors.Is(err, ErrMoving) {
			return st, err
		}
		if time.Since(begin) >= wait {
			return nil, err
		}
		time.Sleep(2 * time.Millisecond)
	}
}

const halfWritten = 50 * time.Millisecond

func tryState(path string) (*State, error) {
	f, err := disk.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := ReadMeta(f)
	if err != nil {
		return nil, err
	}
	st := &State{Change: m.seq}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if size := int64(m.Pages) * m.PageSize; info.Size() < size {
		return nil, fmt.Errorf("%w: %s has %d bytes of %d", errs.Format, BoltFile, info.Size(), size)
	}
	st.File = make([]byte, int64(m.Pages)*m.PageSize)
	if _, err := f.ReadAt(st.File, 0); err != nil {
		return nil, err
	}
	again, err := ReadMeta(f)
	if err != nil {
		return nil, err
	}
	if again.seq != m.seq {
		return nil, ErrMoving
	}
	// The other of the two state pages may have been read half written. Only the one that was checked stays.
	other := m.PageSize
	if m.At != 0 {
		other = 0
	}
	clear(st.File[other : other+m.PageSize])
	return st, st.parse(m)
}

// parse checks all pages of the state, of which the engine trusts every number, and finds the newest snapshot of the engine's: the last
// entry of the bucket "s". In it "i" holds the internal values, "m" what made it, and every other entry is a segment. Those before it are
// checked alike, since the engine goes on to them when it cannot read the newest.
func (st *State) parse(m BoltMeta) error {
	b := boltPages{data: st.File, size: m.PageSize, seen: make([]bool, m.Pages)}
	if err := b.check(m); err != nil {
		return err
	}
	return b.walk(m.Root, func(key, value []byte, bucket bool) error {
		if !bucket || string(key) != string(util.BoltSnapshotsBucket) {
			return nil
		}
		return b.bucket(value, func(key, value []byte, bucket bool) error {
			if !bucket || string(key) == string(util.BoltTrainerKey) {
				return nil
			}
			st.Segments, st.Stats = nil, nil
			return st.snapshot(&b, value)
		})
	})
}

// snapshot reads one snapshot.
func (st *State) snapshot(b *boltPages, head []byte) error {
	return b.bucket(head, func(key, value []byte, bucket bool) error {
		switch {
		case !bucket || string(key) == string(util.BoltMetaDataKey):
			return nil
		case string(key) == string(util.BoltInternalKey):
			return b.bucket(value, func(key, value []byte, _ bool) error {
				if string(key) == string(statsKey) {
					st.Stats = value
				}
				return nil
			})
		}
		var seg segmentFile
		err := b.bucket(value, func(key, value []byte, _ bool) error {
			switch string(key) {
			case string(util.BoltPathKey):
				seg.Name = string(value)
			case string(util.BoltDeletedKey):
				seg.deleted = value
			}
			return nil
		})
		if err != nil {
			return err
		}
		if seg.Name == "" || filepath.Base(seg.Name) != seg.Name || filepath.Ext(seg.Name) != ".zap" {
			return fmt.Errorf("%w: %s names the segment %q", errs.Format, BoltFile, seg.Name)
		}
		st.Segments = append(st.Segments, seg)
		return nil
	})
}

// boltPages walks the trees in a file of pages.
type boltPages struct {
	data []byte
	size int64
	seen []bool // by page: it has been checked
}

var errPages = fmt.Errorf("%w: the pages of %s are broken", errs.Format, BoltFile)

// check makes sure that the pages are trees, down to the last bucket, and that no page of theirs counts as free. The engine believes all of
// that: a page that leads to itself would end the program, and no recover helps.
func (b *boltPages) check(m BoltMeta) error {
	if err := b.checkPage(m.Root, 0); err != nil || m.Free == noFreeList {
		return err
	}
	p, err := b.take(m.Free)
	if err != nil {
		return err
	}
	list, n := p[PageHeader:], uint64(binary.NativeEndian.Uint16(p[10:]))
	if n == math.MaxUint16 { // the number is the first of the list
		n, list = binary.NativeEndian.Uint64(list), list[8:]
	}
	if binary.NativeEndian.Uint16(p[8:]) != PageFree || n > uint64(len(list)/8) {
		return errPages
	}
	for ; n > 0; n, list = n-1, list[8:] {
		page := binary.NativeEndian.Uint64(list)
		if page < 2 || page >= m.Pages || b.seen[page] {
			return errPages
		}
		b.seen[page] = true
	}
	return nil
}

// take gives a page, which is given once.
func (b *boltPages) take(page uint64) ([]byte, error) {
	p, err := b.at(page)
	if err != nil {
		return nil, err
	}
	for i := range uint64(len(p)) / uint64(b.size) {
		if b.seen[page+i] {
			return nil, errPages
		}
		b.seen[page+i] = true
	}
	return p, nil
}

func (b *boltPages) checkPage(page uint64, depth int) error {
	p, err := b.take(page)
	if err != nil {
		return err
	}
	return b.checkEntries(p, depth, func(page uint64) error { return b.checkPage(page, depth+1) })
}

// checkEntries checks the entries of a page, and calls below for each page that it leads to.
func (b *boltPages) checkEntries(p []byte, depth int, below func(page uint64) error) error {
	if depth > maxDepth {
		return errPages
	}
	var last []byte
	size := 0 // of the entries: they do not overlap, so that there are no more of them, within one another too, than the page has room for
	return entries(p, func(e boltEntry) error {
		if size += ElementSize + len(e.key) + len(e.value); PageHeader+size > len(p) || string(e.key) <= string(last) {
			return errPages
		}
		last = e.key
		switch {
		case e.page != 0:
			return below(e.page)
		case !e.bucket:
			return nil
		case len(e.value) < bucketHead:
			return errPages
		}
		if root := binary.NativeEndian.Uint64(e.value); root != 0 {
			return b.checkPage(root, depth+1)
		}
		return b.checkEntries(e.value[bucketHead:], depth+1, func(uint64) error { return errPages }) // held in place
	})
}

// bucketHead is the size of what stands before a bucket that is held in place: its page and a number.
const bucketHead = 16

// bucket visits the entries of a bucket by key. head is its value in the bucket above. All that is visited has been checked.
func (b *boltPages) bucket(head []byte, visit func(key, value []byte, bucket bool) error) error {
	if root := binary.NativeEndian.Uint64(head); root != 0 {
		return b.walk(root, visit)
	}
	return b.visit(head[bucketHead:], visit)
}

// walk visits the entries below a page.
func (b *boltPages) walk(page uint64, visit func(key, value []byte, bucket bool) error) error {
	p, err := b.at(page)
	if err != nil {
		return err
	}
	return b.visit(p, visit)
}

func (b *boltPages) visit(p []byte, visit func(key, value []byte, bucket bool) error) error {
	return entries(p, func(e boltEntry) error {
		if e.page != 0 {
			return b.walk(e.page, visit)
		}
		return visit(e.key, e.value, e.bucket)
	})
}

// at gives a page with those that it flows over to.
func (b *boltPages) at(page uint64) ([]byte, error) {
	pages := uint64(len(b.seen))
	if page < 2 || page >= pages {
		return nil, errPages
	}
	p := b.data[int64(page)*b.size:]
	over := uint64(binary.NativeEndian.Uint32(p[12:]))
	if binary.NativeEndian.Uint64(p) != page || page+over >= pages {
		return nil, errPages
	}
	return p[:int64(over+1)*b.size], nil
}

// A boltEntry is an entry of a page: one that leads to another page, or else a key with its value.
type boltEntry struct {
	key, value []byte
	page       uint64
	bucket     bool // the value is the head of a bucket
}

func entries(p []byte, visit func(boltEntry) error) error {
	if len(p) < PageHeader {
		return errPages
	}
	flags, count := binary.NativeEndian.Uint16(p[8:]), int(binary.NativeEndian.Uint16(p[10:]))
	if len(p) < PageHeader+count*ElementSize || flags != pageLeaf && (flags != PageBranch || count == 0) {
		return errPages
	}
	for i := range count {
		e := p[PageHeader+i*ElementSize:]
		u := func(at int) uint64 { return uint64(binary.NativeEndian.Uint32(e[at:])) }
		var pos, k, v uint64
		var out boltEntry
		if flags == PageBranch { // pos u32, key size u32, page u64
			pos, k, out.page = u(0), u(4), binary.NativeEndian.Uint64(e[8:])
		} else { // flags u32, pos u32, key size u32, value size u32; pos is from here
			pos, k, v, out.bucket = u(4), u(8), u(12), u(0)&leafBucket != 0
		}
		if k == 0 || pos+k+v > uint64(len(e)) || flags == PageBranch && out.page == 0 {
			return errPages
		}
		out.key, out.value = e[pos:pos+k:pos+k], e[pos+k:pos+k+v:pos+k+v]
		if err := visit(out); err != nil {
			return err
		}
	}
	return nil
}
