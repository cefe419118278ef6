package blevestore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
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
	boltFile    = "root.bolt"
	boltMagic   = 0xED0CDAED
	boltVersion = 2

	pageHeader  = 16 // id u64, flags u16, count u16, overflow u32
	metaSize    = 64
	elementSize = 16 // of branch and leaf pages alike
	pageBranch  = 1
	pageLeaf    = 2
	leafBucket  = 1

	maxRootFile = 1 << 30
	maxDepth    = 64 // of pages and of buckets
)

// A state is one state of the index, as root.bolt tells it.
type state struct {
	file     []byte // root.bolt with this state alone to be found in it; whole pages
	change   uint64 // number of the engine's last write; grows, also where only files were merged
	segments []segmentFile
	stats    []byte // internal value statsKey; nil: none yet
}

type segmentFile struct {
	name    string
	deleted []byte // as stored; nil: none
}

// errMoving says that the file was written each time it was read.
var errMoving = errors.New("the index is written without a pause")

type boltMeta struct {
	pageSize         int64
	root, pages, seq uint64 // root page; pages in use; transaction
	at               int64  // where the page that holds it begins
}

// readMeta returns the newest state's page.
func readMeta(r io.ReaderAt) (boltMeta, error) {
	var found boltMeta
	buf := make([]byte, pageHeader+metaSize)
	try := func(at int64) error {
		if _, err := r.ReadAt(buf, at); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		b := buf[pageHeader:]
		if u := binary.NativeEndian; u.Uint32(b) != boltMagic || u.Uint32(b[4:]) != boltVersion {
			return nil
		}
		sum := fnv.New64a()
		sum.Write(b[:metaSize-8])
		m := boltMeta{
			pageSize: int64(binary.NativeEndian.Uint32(b[8:])), root: binary.NativeEndian.Uint64(b[16:]),
			pages: binary.NativeEndian.Uint64(b[40:]), seq: binary.NativeEndian.Uint64(b[48:]), at: at,
		}
		if sum.Sum64() == binary.NativeEndian.Uint64(b[metaSize-8:]) && (found.pageSize == 0 || m.seq > found.seq) {
			found = m
		}
		return nil
	}
	if err := try(0); err != nil {
		return found, err
	}
	if found.pageSize != 0 {
		if err := try(found.pageSize); err != nil {
			return found, err
		}
	} else {
		for size := int64(1 << 10); size <= 64<<10; size *= 2 { // the first page is broken or half written: look where the second may be
			if err := try(size); err != nil {
				return found, err
			}
			if found.pageSize != 0 {
				break
			}
		}
	}
	switch {
	case found.pageSize == 0:
		return found, fmt.Errorf("%w: no state in %s is whole", errs.Format, boltFile)
	case found.pageSize < 512 || found.pageSize > 1<<20 || found.pages < 2 || found.pages > uint64(maxRootFile/found.pageSize):
		return found, fmt.Errorf("%w: %s names %d pages of %d bytes", errs.Format, boltFile, found.pages, found.pageSize)
	}
	return found, nil
}

// lastChange returns the number of the engine's last write to the index in dir.
func lastChange(dir string) (uint64, error) {
	f, err := disk.OpenFile(filepath.Join(dir, boltFile))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	m, err := readMeta(f)
	return m.seq, err
}

// readState reads the newest state of the index in dir, beside a process that writes. It tries for up to wait.
func readState(dir string, wait time.Duration) (*state, error) {
	begin := time.Now()
	for {
		st, err := tryState(filepath.Join(dir, boltFile))
		// A file that is being made, or of which a page was half written when it was read, looks broken for a moment.
		if errors.Is(err, errs.Format) {
			wait = min(wait, halfWritten)
		} else if !errors.Is(err, errMoving) {
			return st, err
		}
		if time.Since(begin) >= wait {
			return nil, err
		}
		time.Sleep(2 * time.Millisecond)
	}
}

const halfWritten = 50 * time.Millisecond

func tryState(path string) (*state, error) {
	f, err := disk.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := readMeta(f)
	if err != nil {
		return nil, err
	}
	st := &state{change: m.seq}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if size := int64(m.pages) * m.pageSize; info.Size() < size {
		return nil, fmt.Errorf("%w: %s has %d bytes of %d", errs.Format, boltFile, info.Size(), size)
	}
	st.file = make([]byte, int64(m.pages)*m.pageSize)
	if _, err := f.ReadAt(st.file, 0); err != nil {
		return nil, err
	}
	again, err := readMeta(f)
	if err != nil {
		return nil, err
	}
	if again.seq != m.seq {
		return nil, errMoving
	}
	// The other of the two state pages may have been read half written. Only the one that was checked stays.
	other := m.pageSize
	if m.at != 0 {
		other = 0
	}
	clear(st.file[other : other+m.pageSize])
	return st, st.parse(m)
}

// parse finds the newest snapshot of the engine's: the last entry of the bucket "s". In it "i" holds the internal values, "m" what made it, and
// every other entry is a segment.
func (st *state) parse(m boltMeta) error {
	b := boltPages{data: st.file, size: m.pageSize}
	var snapshots, last []byte
	err := b.walk(m.root, func(key, value []byte, bucket bool) error {
		if bucket && string(key) == string(util.BoltSnapshotsBucket) {
			snapshots = value
		}
		return nil
	})
	if err != nil || snapshots == nil {
		return err
	}
	err = b.bucket(snapshots, func(key, value []byte, bucket bool) error {
		if bucket && string(key) != string(util.BoltTrainerKey) {
			last = value
		}
		return nil
	})
	if err != nil || last == nil {
		return err
	}
	return b.bucket(last, func(key, value []byte, bucket bool) error {
		switch {
		case !bucket || string(key) == string(util.BoltMetaDataKey):
			return nil
		case string(key) == string(util.BoltInternalKey):
			return b.bucket(value, func(key, value []byte, _ bool) error {
				if string(key) == string(statsKey) {
					st.stats = value
				}
				return nil
			})
		}
		var seg segmentFile
		err := b.bucket(value, func(key, value []byte, _ bool) error {
			switch string(key) {
			case string(util.BoltPathKey):
				seg.name = string(value)
			case string(util.BoltDeletedKey):
				seg.deleted = value
			}
			return nil
		})
		if err != nil {
			return err
		}
		if seg.name == "" || filepath.Base(seg.name) != seg.name || filepath.Ext(seg.name) != ".zap" {
			return fmt.Errorf("%w: %s names the segment %q", errs.Format, boltFile, seg.name)
		}
		st.segments = append(st.segments, seg)
		return nil
	})
}

// boltPages walks the trees in a file of pages.
type boltPages struct {
	data  []byte
	size  int64
	depth int
	steps int // pages visited: in a broken file they may go in circles
}

var errPages = fmt.Errorf("%w: the pages of %s are broken", errs.Format, boltFile)

// bucket visits the entries of a bucket by key. head is its value in the bucket above.
func (b *boltPages) bucket(head []byte, visit func(key, value []byte, bucket bool) error) error {
	if len(head) < 16 {
		return errPages
	}
	if root := binary.NativeEndian.Uint64(head); root != 0 {
		return b.walk(root, visit)
	}
	return b.page(head[16:], visit) // small buckets are held in place
}

// walk visits the entries below a page.
func (b *boltPages) walk(page uint64, visit func(key, value []byte, bucket bool) error) error {
	pages := uint64(len(b.data)) / uint64(b.size)
	if b.steps++; page < 2 || page >= pages || uint64(b.steps) > 4*pages {
		return errPages
	}
	p := b.data[int64(page)*b.size:]
	if over := uint64(binary.NativeEndian.Uint32(p[12:])); binary.NativeEndian.Uint64(p) != page || page+over >= pages {
		return errPages
	} else {
		p = p[:int64(over+1)*b.size]
	}
	return b.page(p, visit)
}

func (b *boltPages) page(p []byte, visit func(key, value []byte, bucket bool) error) error {
	if b.depth++; b.depth > maxDepth || len(p) < pageHeader {
		return errPages
	}
	defer func() { b.depth-- }()
	flags, count := binary.NativeEndian.Uint16(p[8:]), int(binary.NativeEndian.Uint16(p[10:]))
	if len(p) < pageHeader+count*elementSize {
		return errPages
	}
	for i := range count {
		e := p[pageHeader+i*elementSize:]
		u := func(at int) uint64 { return uint64(binary.NativeEndian.Uint32(e[at:])) }
		switch flags {
		case pageBranch: // pos u32, key size u32, page u64
			if err := b.walk(binary.NativeEndian.Uint64(e[8:]), visit); err != nil {
				return err
			}
		case pageLeaf: // flags u32, pos u32, key size u32, value size u32; pos is from here
			pos, k, v := u(4), u(8), u(12)
			if pos+k+v > uint64(len(e)) {
				return errPages
			}
			if err := visit(e[pos:pos+k:pos+k], e[pos+k:pos+k+v:pos+k+v], u(0)&leafBucket != 0); err != nil {
				return err
			}
		default:
			return errPages
		}
	}
	return nil
}
