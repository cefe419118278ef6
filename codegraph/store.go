package codegraph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/postings"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

// formatVersion: older readers must refuse.   1: facts and files.   2: base.seg and delta.log.   3: generated and
// vendored files are marked.   4: folders with their times.
// 5: the order of the paths.   6: the version has a checksum of its own, so that a damaged one is not taken for a newer one.
// 7: the words of a comment above a declaration are of it.
const formatVersion = 7

const (
	baseName = "base.seg"
	logName  = "delta.log"

	baseMagic = "FSCGBASE"
	logMagic  = "FSCGDLOG"
)

// The sections of a segment.
const (
	secState  = iota // files, settings, skipped files
	secBlocks        // blocks and lists, one after another; where they are, the state says
	secBodies        // the lexicon
	secNames
	secParts
	secFacts // facts, compressed one by one; where they are, the state says
	sections

	fileHead   = 8 + 4 + 4 // magic, version, checksum of both; it begins both files in every version
	baseHeader = fileHead + 8 + 20*sections + 4
	logHeader  = fileHead + 8 + 4
)

// appendHead begins a file.
func appendHead(b []byte, magic string) []byte {
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, formatVersion)
	return binary.LittleEndian.AppendUint32(b, codec.Checksum(b))
}

// checkHead reads what appendHead wrote.
func checkHead(b []byte, magic string) error {
	if len(b) < fileHead || string(b[:len(magic)]) != magic {
		return fmt.Errorf("%w: no header", errs.Format)
	}
	v := binary.LittleEndian.Uint32(b[8:])
	switch {
	case 0 < v && v < 6: // without a checksum
		return fmt.Errorf("%w: written in format %d, which this program does not read", errs.Format, v)
	case codec.Checksum(b[:fileHead-4]) != binary.LittleEndian.Uint32(b[fileHead-4:]):
		return fmt.Errorf("%w: damaged header", errs.Format)
	case v > formatVersion:
		return &newerError{v, formatVersion}
	case v < formatVersion:
		return fmt.Errorf("%w: written in format %d, which this program does not read", errs.Format, v)
	}
	return nil
}

// newerError is the one kind of damage that is not repaired: a newer program would lose its work.
type newerError struct{ have, know uint32 }

func (e *newerError) Error() string {
	return fmt.Sprintf("written in format %d, this program reads up to %d: use the newer program, or another folder", e.have, e.know)
}

func (e *newerError) Unwrap() error { return errs.Format }

// A segment is an open base.seg. Its parts are read when they are needed; the file stays open for that.
type segment struct {
	f        *os.File
	id       uint64
	off, len [sections]int64
	sum      [sections]uint32
	checked  bool // every section was read and had its checksum
}

// A place is where the facts of a file are in their section.
type place struct{ off, len uint32 }

func openSegment(dir *disk.Folder) (*segment, error) {
	f, err := dir.Open(baseName)
	if err != nil {
		return nil, err
	}
	s := &segment{f: f}
	if err := s.header(); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

func (s *segment) header() error {
	b := make([]byte, baseHeader)
	n, err := io.ReadFull(s.f, b)
	if err := checkHead(b[:n], baseMagic); err != nil {
		return err
	}
	if err != nil || codec.Checksum(b[:baseHeader-4]) != binary.LittleEndian.Uint32(b[baseHeader-4:]) {
		return fmt.Errorf("%w: damaged header", errs.Format)
	}
	info, err := s.f.Stat()
	if err != nil {
		return err
	}
	s.id = binary.LittleEndian.Uint64(b[fileHead:])
	for i := range sections {
		at := b[fileHead+8+20*i:]
		off, n := binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])
		if off > uint64(info.Size()) || n > uint64(info.Size())-off {
			return fmt.Errorf("%w: %d bytes, cut off", errs.Format, info.Size())
		}
		s.off[i], s.len[i], s.sum[i] = int64(off), int64(n), binary.LittleEndian.Uint32(at[16:])
	}
	return nil
}

// piece is how much is read and checked at a time, in bytes.
const piece = 128 << 10

// read gives a section, checked.
func (s *segment) read(sec int) ([]byte, error) {
	b := make([]byte, s.len[sec])
	sum := uint32(0)
	for at := 0; at < len(b); at += piece {
		p := b[at:min(at+piece, len(b))]
		if _, err := s.f.ReadAt(p, s.off[sec]+int64(at)); err != nil {
			return nil, err
		}
		if !s.checked {
			sum = codec.AddChecksum(sum, p) // while it is at hand
		}
	}
	if !s.checked && sum != s.sum[sec] {
		return nil, fmt.Errorf("%w: section %d has a wrong checksum", errs.Format, sec)
	}
	return b, nil
}

// verify checks a section without keeping it.
func (s *segment) verify(sec int) error {
	buf := make([]byte, piece)
	sum := uint32(0)
	for at, left := s.off[sec], s.len[sec]; left > 0; {
		b := buf[:min(int64(len(buf)), left)]
		if _, err := s.f.ReadAt(b, at); err != nil {
			return err
		}
		sum = codec.AddChecksum(sum, b)
		at, left = at+int64(len(b)), left-int64(len(b))
	}
	if sum != s.sum[sec] {
		return fmt.Errorf("%w: section %d has a wrong checksum", errs.Format, sec)
	}
	return nil
}

// packed gives the bytes of facts as they are stored.
func (s *segment) packed(p place) ([]byte, error) {
	if int64(p.off)+int64(p.len) > s.len[secFacts] {
		return nil, fmt.Errorf("%w: facts", errs.Format)
	}
	b := make([]byte, p.len)
	if _, err := s.f.ReadAt(b, s.off[secFacts]+int64(p.off)); err != nil {
		return nil, err
	}
	return b, nil
}

// words gives the lexicon's index. The lists of words in bodies, which are most of it, are read one by one.
func (s *segment) words() (*block.WordIndex, error) {
	names, err := s.read(secNames)
	if err != nil {
		return nil, fmt.Errorf("codegraph: words: %w", err)
	}
	parts, err := s.read(secParts)
	if err != nil {
		return nil, fmt.Errorf("codegraph: words: %w", err)
	}
	bodies, err := s.bodies()
	if err != nil {
		return nil, fmt.Errorf("codegraph: words: %w", err)
	}
	out := &block.WordIndex{Bodies: bodies}
	if out.Names, err = postings.Parse(names); err != nil {
		return nil, err
	}
	out.Parts, err = postings.Parse(parts)
	return out, err
}

// bodies gives the words of bodies. The section has been checked as a whole.
func (s *segment) bodies() (*postings.Index, error) {
	if !s.checked {
		raw, err := s.read(secBodies)
		if err != nil {
			return nil, err
		}
		return postings.Parse(raw)
	}
	size := uint64(s.len[secBodies])
	raw := make([]byte, min(4*postings.HeadWords, size))
	if err := s.part(raw, secBodies, 0); err != nil {
		return nil, err
	}
	raw = make([]byte, min(max(postings.HeadSize(raw), uint64(len(raw))), size))
	if err := s.part(raw, secBodies, 0); err != nil {
		return nil, err
	}
	v, err := postings.ParseHead(raw, size)
	if err != nil {
		return nil, err
	}
	v.Fetch = func(from, to uint32) ([]byte, error) {
		b := make([]byte, to-from)
		if err := s.part(b, secBodies, int64(len(raw))+int64(from)); err != nil {
			return nil, fmt.Errorf("codegraph: words: %w", err)
		}
		return b, nil
	}
	return v, nil
}

// part reads some bytes of a section, unchecked.
func (s *segment) part(b []byte, sec int, at int64) error {
	_, err := s.f.ReadAt(b, s.off[sec]+at)
	if err == io.EOF && len(b) == 0 {
		return nil
	}
	return err
}

// segmentHead writes what stands before the sections of a segment.
func segmentHead(id uint64, parts [sections][]byte) []byte {
	head := appendHead(make([]byte, 0, baseHeader), baseMagic)
	head = binary.LittleEndian.AppendUint64(head, id)
	at := uint64(baseHeader)
	for _, p := range parts {
		head = binary.LittleEndian.AppendUint64(head, at)
		head = binary.LittleEndian.AppendUint64(head, uint64(len(p)))
		head = binary.LittleEndian.AppendUint32(head, codec.Checksum(p))
		at += uint64(len(p))
	}
	return binary.LittleEndian.AppendUint32(head, codec.Checksum(head))
}

// writeSegment replaces the segment in a folder.
func writeSegment(dir *disk.Folder, id uint64, parts [sections][]byte) error {
	head := segmentHead(id, parts)
	return dir.Write(baseName, func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		for _, p := range parts {
			if _, err := w.Write(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// A log is an open delta.log: what changed since its segment was written, a record an update.
//
//	header   magic, version, checksum of both, id of the segment, checksum of all that
//	record   length of the payload, checksum of it and of the id of the segment (uint32 each), payload
type log struct {
	f    *os.File
	size int64
	id   uint64
}

// logHead writes what stands before the records of a log.
func logHead(id uint64) []byte {
	b := appendHead(nil, logMagic)
	b = binary.LittleEndian.AppendUint64(b, id)
	return binary.LittleEndian.AppendUint32(b, codec.Checksum(b))
}

// createLog replaces the log in a folder by an empty one.
func createLog(dir *disk.Folder, id uint64) error { return dir.WriteFile(logName, logHead(id)) }

// maxLog bounds a log, in bytes: no record is over 1 GB, and before there is another the log is folded when it is over its share.
const maxLog = 4 << 30

// readLog gives the records of a log that belongs to a segment, how many bytes of it are whole, and how many are not.
func readLog(dir *disk.Folder, id uint64) (records [][]byte, whole, torn int64, err error) {
	b, err := dir.ReadFile(logName, maxLog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, 0, nil
	}
	if err != nil {
		return nil, 0, 0, err
	}
	err = checkHead(b, logMagic)
	if newer := (*newerError)(nil); errors.As(err, &newer) {
		return nil, 0, 0, err
	}
	if err != nil || len(b) < logHeader || codec.Checksum(b[:logHeader-4]) != binary.LittleEndian.Uint32(b[logHeader-4:]) {
		return nil, 0, int64(len(b)), nil
	}
	if binary.LittleEndian.Uint64(b[fileHead:]) != id {
		return nil, 0, 0, nil // of a segment that has been replaced, and holds all of it
	}
	at := logHeader
	for at+8 <= len(b) {
		n, sum := uint64(binary.LittleEndian.Uint32(b[at:])), binary.LittleEndian.Uint32(b[at+4:])
		if n > uint64(len(b)-at-8) {
			break
		}
		p := b[at+8 : at+8+int(n)]
		if recordSum(id, p) != sum {
			break
		}
		records = append(records, p)
		at += 8 + int(n)
	}
	return records, int64(at), int64(len(b) - at), nil
}

func recordSum(id uint64, payload []byte) uint32 {
	return codec.AddChecksum(codec.Checksum(binary.LittleEndian.AppendUint64(nil, id)), payload)
}

// openLog opens a log to go on after its whole records.
func openLog(dir *disk.Folder, id uint64, whole int64) (*log, error) {
	if whole == 0 {
		if err := createLog(dir, id); err != nil {
			return nil, err
		}
		whole = logHeader
	}
	f, err := dir.OpenWrite(logName)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(whole); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &log{f: f, size: whole, id: id}, nil
}

// append adds a record and waits until it is on disk. After an error the log ends where it did.
func (l *log) append(payload []byte) error {
	b := make([]byte, 0, 8+len(payload))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, recordSum(l.id, payload))
	b = append(b, payload...)
	if _, err := l.f.WriteAt(b, l.size); err != nil {
		return errors.Join(err, l.f.Truncate(l.size))
	}
	if err := l.f.Sync(); err != nil {
		return errors.Join(err, l.f.Truncate(l.size))
	}
	l.size += int64(len(b))
	return nil
}
