package factpool

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/factcodec"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

// A Pool is a folder with facts by content. In it the indexes of several worktrees and clones find what one of them has parsed,
// and a pass what one before it had parsed when it was interrupted. Its files are batches: each is written once, under a name
// that nobody else has, and never changed, so that nobody waits for anybody. What is read is checked, and thrown away when it is damaged.
//
//	head    magic, version, number of entries, checksum of the table (numbers are uint32, little endian)
//	table   an entry: its key (32 bytes), length and checksum of its bytes
//	bytes   the facts of the entries, compressed one by one
type Pool struct {
	Dir    string
	Own    *disk.Folder // of one index, which has no use for it any more when it is saved; nil: of many
	Trust  bool         // whoever made it
	Size   int64
	Logger *slog.Logger
}

// OwnFolder is the folder in an index for the facts of a first build.
const OwnFolder = "parsed"

const (
	poolMagic   = "FSCGPOOL"
	poolVersion = 1
	poolSuffix  = ".facts"
	poolPrefix  = "batch" // of the names of files that are being written
	poolHead    = 8 + 3*4
	poolEntry   = 32 + 2*4

	PoolLeast   = 16                         // passes with fewer files to read do without the pool: the next one parses them as fast as it finds them
	poolBatch   = 256 << 10                  // bytes after which a batch is written
	poolWait    = time.Second                // or the time
	PoolSize    = 512 << 20                  // bytes of all batches; then those that nobody used for longest go
	poolBatches = 4096                       // and their number
	poolAge     = 30 * 24 * time.Hour        // how long what nobody uses stays
	poolLargest = codec.MaxFacts + poolBatch // bytes of a batch
	poolTouch   = time.Hour                  // how exactly the time of the last use is kept
	poolRest    = time.Hour                  // after which a file that is still being written never will be
)

// A poolKey is the key of facts for those who may be of another build of this library.
type poolKey [sha256.Size]byte

func newPoolKey(k Key) poolKey {
	var w codec.Writer
	w.Text(build())
	k.Write(&w)
	return sha256.Sum256(w.Buf)
}

// build names the version of this library. Two builds that are not of a version have two names: while a front end is worked on its facts
// change more often than its feature version does.
var build = sync.OnceValue(func() string {
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		const self = "github.com/findspot/findspot"
		if info.Main.Path == self {
			version = info.Main.Version
		}
		for _, m := range info.Deps {
			if m.Path == self && m.Replace == nil {
				version = m.Version
			}
		}
	}
	if version != "" && version != "(devel)" && !strings.Contains(version, "+") {
		return version
	}
	path, err := os.Executable()
	if err == nil {
		var info fs.FileInfo
		if info, err = os.Stat(path); err == nil {
			return fmt.Sprint(version, info.Size(), info.ModTime().UnixNano())
		}
	}
	return fmt.Sprint(version, rand.Uint64())
})

// A Visit is the use of a pool in one pass. A nil visit finds and keeps nothing. It is safe for concurrent use.
type Visit struct {
	p      *Pool
	folder *disk.Folder // nil when there is none

	// mu guards what follows.
	mu      sync.Mutex
	batches []*batch
	at      map[poolKey]poolPlace
	waiting []poolFacts
	size    int       // of what is waiting
	since   time.Time // when the first of it came
	wrote   bool
	failed  bool // nothing is kept any more
}

type batch struct {
	name string
	size int64
	time time.Time // of the last use
	used bool
	read func() ([]byte, error)
}

type poolPlace struct {
	b        *batch
	off, len int64
	sum      uint32
}

type poolFacts struct {
	key    poolKey
	packed []byte
}

// Visit begins the use of the pool in a pass that has n files to read.
func (p *Pool) Visit(n int) *Visit {
	if p == nil || n < PoolLeast {
		return nil
	}
	v := &Visit{p: p, at: map[poolKey]poolPlace{}}
	folder, err := p.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return v
	}
	var list []fs.DirEntry
	if err == nil {
		v.folder = folder
		list, err = folder.ReadDir(".")
	}
	if err != nil {
		v.fail(err)
	}
	for _, d := range list {
		if !strings.HasSuffix(d.Name(), poolSuffix) || !d.Type().IsRegular() {
			continue
		}
		if info, err := d.Info(); err == nil { // else somebody threw it away
			v.index(info)
		}
	}
	return v
}

// index notes what a batch holds.
func (v *Visit) index(info fs.FileInfo) {
	if info.Size() > poolLargest {
		return // nothing that was written here
	}
	b := &batch{name: info.Name(), size: info.Size(), time: info.ModTime(), read: sync.OnceValues(func() ([]byte, error) { return v.folder.ReadFile(info.Name(), info.Size()) })}
	v.batches = append(v.batches, b)
	f, err := v.folder.Open(info.Name())
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // else it was thrown away meanwhile
			v.p.Logger.Warn("codegraph: facts cannot be read", "path", v.p.Dir, "reason", err)
		}
		return
	}
	defer f.Close()
	head := make([]byte, poolHead)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:8]) != poolMagic {
		v.damaged(b, "no head")
		return
	}
	if binary.LittleEndian.Uint32(head[8:]) != poolVersion {
		return // of another program
	}
	n := int64(binary.LittleEndian.Uint32(head[12:]))
	if n > (b.size-poolHead)/poolEntry {
		v.damaged(b, "cut off")
		return
	}
	table := make([]byte, n*poolEntry)
	if _, err := io.ReadFull(f, table); err != nil || codec.Checksum(table) != binary.LittleEndian.Uint32(head[16:]) {
		v.damaged(b, "damaged table")
		return
	}
	at := poolHead + int64(len(table))
	for e := table; len(e) > 0; e = e[poolEntry:] {
		size := int64(binary.LittleEndian.Uint32(e[32:]))
		v.at[poolKey(e)] = poolPlace{b: b, off: at, len: size, sum: binary.LittleEndian.Uint32(e[36:])}
		at += size
	}
	if at != b.size {
		v.damaged(b, "cut off")
	}
}

// Get gives the facts of a source of a size, and their forms in bytes; nil when there are none.
func (v *Visit) Get(k Key, size int64) (*lang.Facts, *Record) {
	if v == nil || k.Lang == "" {
		return nil, nil
	}
	var facts *lang.Facts
	var r *Record
	v.find(newPoolKey(k), func(packed []byte) (err error) {
		facts, r, err = unpack(packed, size)
		return err
	})
	return facts, r
}

// unpack reads the facts of a source of a size; both are nil where there is an error.
func unpack(packed []byte, size int64) (*lang.Facts, *Record, error) {
	raw, err := codec.Unpack(packed, size)
	if err != nil {
		return nil, nil, err
	}
	facts, err := factcodec.Decode(raw)
	if err != nil {
		return nil, nil, err
	}
	return facts, &Record{Packed: packed, Facts: raw, Pkg: facts.Package}, nil
}

// Bytes gives what [Visit.PutBytes] kept under a key, if use, which checks it, returns no error; it reports whether there is such.
func (v *Visit) Bytes(key [32]byte, use func([]byte) error) bool {
	return v != nil && v.find(key, use)
}

// find gives what stands under a key to use. What is damaged, or refused by use, is thrown away with its batch.
func (v *Visit) find(id poolKey, use func(packed []byte) error) bool {
	v.mu.Lock()
	at, ok := v.at[id]
	v.mu.Unlock()
	if !ok {
		return false
	}
	data, err := at.b.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err == nil && at.off+at.len > int64(len(data)):
		err = fmt.Errorf("%w: cut off", errs.Format)
	}
	if err == nil {
		packed := data[at.off : at.off+at.len : at.off+at.len]
		if codec.Checksum(packed) != at.sum {
			err = fmt.Errorf("%w: wrong checksum", errs.Format)
		} else {
			err = use(packed)
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if err != nil {
		if _, ok := v.at[id]; ok { // the first to see it
			delete(v.at, id)
			v.salvage(at.b, data)
			v.damaged(at.b, strings.TrimPrefix(err.Error(), "codegraph: "))
		}
		return false
	}
	at.b.used = true
	return true
}

// Put keeps facts, and gives them the form in which they are saved.
func (v *Visit) Put(k Key, r *Record) {
	if v == nil || k.Lang == "" {
		return
	}
	r.Packed = codec.Pack(r.Facts)
	v.put(newPoolKey(k), r.Packed)
}

// PutBytes keeps something under a key that nothing else has.
func (v *Visit) PutBytes(key [32]byte, b []byte) {
	if v != nil {
		v.put(key, b)
	}
}

func (v *Visit) put(key poolKey, packed []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failed {
		return
	}
	if len(v.waiting) == 0 {
		v.since = time.Now()
	}
	v.waiting = append(v.waiting, poolFacts{key, packed})
	if v.size += len(packed); v.size >= poolBatch || time.Since(v.since) >= poolWait {
		v.flush()
	}
}

// flush writes a batch of what is waiting.
func (v *Visit) flush() {
	if len(v.waiting) == 0 || v.failed {
		return
	}
	var table []byte
	size := 0
	for _, e := range v.waiting {
		table = append(table, e.key[:]...)
		table = binary.LittleEndian.AppendUint32(table, uint32(len(e.packed)))
		table = binary.LittleEndian.AppendUint32(table, codec.Checksum(e.packed))
		size += len(e.packed)
	}
	b := make([]byte, 0, poolHead+len(table)+size)
	b = append(b, poolMagic...)
	b = binary.LittleEndian.AppendUint32(b, poolVersion)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v.waiting)))
	b = binary.LittleEndian.AppendUint32(b, codec.Checksum(table))
	b = append(b, table...)
	for _, e := range v.waiting {
		b = append(b, e.packed...)
	}
	v.waiting, v.size = nil, 0
	if err := v.p.write(b); err != nil {
		v.fail(err)
		return
	}
	v.wrote = true
}

// write adds a batch. It is not synced: a crash costs the facts, which the checksums show.
func (p *Pool) write(b []byte) (err error) {
	folder, err := p.open(true)
	if err != nil {
		return err
	}
	defer folder.Close()
	var random [8]byte
	binary.LittleEndian.PutUint64(random[:], rand.Uint64())
	name := hex.EncodeToString(random[:])
	temp := poolPrefix + name + ".tmp"
	f, err := folder.Root().OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = folder.Root().Rename(temp, name+poolSuffix)
	}
	if err != nil {
		err = errors.Join(err, folder.Root().Remove(temp))
	}
	return err
}

// open opens the folder, which is made where it is to be. Each use opens it anew: it may be deleted at any time.
func (p *Pool) open(make bool) (*disk.Folder, error) {
	if p.Own != nil {
		if _, err := p.Own.Lstat(OwnFolder); err != nil && !(make && errors.Is(err, fs.ErrNotExist)) {
			return nil, err
		}
		return p.Own.Sub(OwnFolder)
	}
	if make {
		f, _, err := disk.MakeFolder(p.Dir, p.Trust)
		return f, err
	}
	return disk.OpenFolder(p.Dir, p.Trust)
}

// End writes what is waiting, and throws away what is too old or too much.
func (v *Visit) End() {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.flush()
	now := time.Now()
	for _, b := range v.batches {
		if b.used && now.Sub(b.time) > poolTouch {
			b.time = now
			if err := v.folder.Root().Chtimes(b.name, now, now); err != nil && !errors.Is(err, fs.ErrNotExist) {
				v.p.Logger.Debug("codegraph: facts will be taken for unused", "path", v.p.Dir, "reason", err)
			}
		}
	}
	if v.wrote {
		if err := v.p.trim(now); err != nil {
			v.p.Logger.Warn("codegraph: old facts are not thrown away", "path", v.p.Dir, "reason", err)
		}
	}
	if v.folder != nil {
		v.folder.Close()
	}
}

// trim throws away what is too old or too much.
func (p *Pool) trim(now time.Time) error {
	folder, err := p.open(false)
	if err != nil {
		return err
	}
	defer folder.Close()
	list, err := folder.ReadDir(".")
	if err != nil {
		return err
	}
	var all []fs.FileInfo
	total := int64(0)
	var old []string
	for _, d := range list {
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // thrown away by another process, or not ours
		}
		age := now.Sub(info.ModTime())
		switch ext := filepath.Ext(info.Name()); {
		case ext == ".tmp" && strings.HasPrefix(info.Name(), poolPrefix) && age > poolRest, ext == poolSuffix && age > poolAge:
			old = append(old, info.Name())
		case ext == poolSuffix:
			all = append(all, info)
			total += info.Size()
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	n := len(all)
	if total > p.Size || n > poolBatches { // a quarter goes, so that this is not done over and over
		for _, info := range all {
			if total <= p.Size/4*3 && n <= poolBatches/4*3 {
				break
			}
			old = append(old, info.Name())
			total -= info.Size()
			n--
		}
	}
	var bad []error
	for _, name := range old {
		if err := folder.Root().Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			bad = append(bad, err)
		}
	}
	return errors.Join(bad...)
}

// salvage keeps what is whole of a batch that is thrown away.
func (v *Visit) salvage(b *batch, data []byte) {
	kept := &batch{read: func() ([]byte, error) { return data, nil }} // until it is in a batch again
	for k, at := range v.at {
		if at.b != b {
			continue
		}
		if end := at.off + at.len; end <= int64(len(data)) && codec.Checksum(data[at.off:end]) == at.sum {
			v.waiting = append(v.waiting, poolFacts{k, data[at.off:end]})
			v.size += int(at.len)
			at.b = kept
			v.at[k] = at
		}
	}
}

// damaged throws a batch away.
func (v *Visit) damaged(b *batch, why string) {
	for k, at := range v.at {
		if at.b == b {
			delete(v.at, k)
		}
	}
	v.p.Logger.Warn("codegraph: facts are damaged and thrown away", "path", filepath.Join(v.p.Dir, b.name), "reason", why)
	if err := v.folder.Root().Remove(b.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		v.p.Logger.Warn("codegraph: damaged facts stay", "path", v.p.Dir, "reason", err)
	}
}

// fail gives up keeping facts in this pass, which goes on without.
func (v *Visit) fail(err error) {
	v.failed, v.waiting = true, nil
	v.p.Logger.Warn("codegraph: facts are not kept for other indexes", "path", v.p.Dir, "reason", err)
}

// Saved empties a pool that only one index has, now that the index holds all of it.
func (p *Pool) Saved() error {
	if p == nil || p.Own == nil {
		return nil
	}
	return p.Own.Root().RemoveAll(OwnFolder)
}
