package segment

import (
	"encoding/binary"
	"fmt"
	"io"
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
const formatVersion = FormatVersion

// FormatVersion is the version that is written, and the newest that is read.
const FormatVersion = 7

// The names of the files in a folder.
const (
	FileName = "base.seg"
	LogName  = "delta.log"

	baseMagic = "FSCGBASE"
	logMagic  = "FSCGDLOG"
)

// The sections of a segment.
const (
	State  = iota // files, settings, skipped files
	Blocks        // blocks and lists, one after another; where they are, the state says
	Bodies        // the lexicon
	Names
	Parts
	Facts // facts, compressed one by one; where they are, the state says
	Sections

	fileHead    = 8 + 4 + 4 // magic, version, checksum of both; it begins both files in every version
	HeadSize    = fileHead + 8 + 20*Sections + 4
	LogHeadSize = fileHead + 8 + 4
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
		return &NewerError{v, formatVersion}
	case v < formatVersion:
		return fmt.Errorf("%w: written in format %d, which this program does not read", errs.Format, v)
	}
	return nil
}

// NewerError is the one kind of damage that is not repaired: a newer program would lose its work.
type NewerError struct{ have, know uint32 }

func (e *NewerError) Error() string {
	return fmt.Sprintf("written in format %d, this program reads up to %d: use the newer program, or another folder", e.have, e.know)
}

func (e *NewerError) Unwrap() error { return errs.Format }

// A Segment is an open base.seg. Its parts are read when they are needed; the file stays open for that.
type Segment struct {
	File       *os.File
	ID         uint64
	off, Sizes [Sections]int64
	sum        [Sections]uint32
	Checked    bool // every section was read and had its checksum
}

// A Place is where the facts of a file are in their section.
type Place struct{ Offset, Len uint32 }

// Open opens the segment in a folder and checks its header.
func Open(dir *disk.Folder) (*Segment, error) {
	f, err := dir.Open(FileName)
	if err != nil {
		return nil, err
	}
	s := &Segment{File: f}
	if err := s.header(); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

func (s *Segment) header() error {
	b := make([]byte, HeadSize)
	n, err := io.ReadFull(s.File, b)
	if err := checkHead(b[:n], baseMagic); err != nil {
		return err
	}
	if err != nil || codec.Checksum(b[:HeadSize-4]) != binary.LittleEndian.Uint32(b[HeadSize-4:]) {
		return fmt.Errorf("%w: damaged header", errs.Format)
	}
	info, err := s.File.Stat()
	if err != nil {
		return err
	}
	s.ID = binary.LittleEndian.Uint64(b[fileHead:])
	for i := range Sections {
		at := b[fileHead+8+20*i:]
		off, n := binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])
		if off > uint64(info.Size()) || n > uint64(info.Size())-off {
			return fmt.Errorf("%w: %d bytes, cut off", errs.Format, info.Size())
		}
		s.off[i], s.Sizes[i], s.sum[i] = int64(off), int64(n), binary.LittleEndian.Uint32(at[16:])
	}
	return nil
}

// piece is how much is read and checked at a time, in bytes.
const piece = 128 << 10

// Read gives a section, checked.
func (s *Segment) Read(sec int) ([]byte, error) {
	b := make([]byte, s.Sizes[sec])
	sum := uint32(0)
	for at := 0; at < len(b); at += piece {
		p := b[at:min(at+piece, len(b))]
		if _, err := s.File.ReadAt(p, s.off[sec]+int64(at)); err != nil {
			return nil, err
		}
		if !s.Checked {
			sum = codec.AddChecksum(sum, p) // while it is at hand
		}
	}
	if !s.Checked && sum != s.sum[sec] {
		return nil, fmt.Errorf("%w: section %d has a wrong checksum", errs.Format, sec)
	}
	return b, nil
}

// Verify checks a section without keeping it.
func (s *Segment) Verify(sec int) error {
	buf := make([]byte, piece)
	sum := uint32(0)
	for at, left := s.off[sec], s.Sizes[sec]; left > 0; {
		b := buf[:min(int64(len(buf)), left)]
		if _, err := s.File.ReadAt(b, at); err != nil {
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

// Packed gives the bytes of facts as they are stored.
func (s *Segment) Packed(p Place) ([]byte, error) {
	if int64(p.Offset)+int64(p.Len) > s.Sizes[Facts] {
		return nil, fmt.Errorf("%w: facts", errs.Format)
	}
	b := make([]byte, p.Len)
	if _, err := s.File.ReadAt(b, s.off[Facts]+int64(p.Offset)); err != nil {
		return nil, err
	}
	return b, nil
}

// Words gives the lexicon's index. The lists of words in bodies, which are most of it, are read one by one.
func (s *Segment) Words() (*block.WordIndex, error) {
	names, err := s.Read(Names)
	if err != nil {
		return nil, fmt.Errorf("codegraph: words: %w", err)
	}
	parts, err := s.Read(Parts)
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
func (s *Segment) bodies() (*postings.Index, error) {
	if !s.Checked {
		raw, err := s.Read(Bodies)
		if err != nil {
			return nil, err
		}
		return postings.Parse(raw)
	}
	size := uint64(s.Sizes[Bodies])
	raw := make([]byte, min(4*postings.HeadWords, size))
	if err := s.part(raw, Bodies, 0); err != nil {
		return nil, err
	}
	raw = make([]byte, min(max(postings.HeadSize(raw), uint64(len(raw))), size))
	if err := s.part(raw, Bodies, 0); err != nil {
		return nil, err
	}
	v, err := postings.ParseHead(raw, size)
	if err != nil {
		return nil, err
	}
	v.Fetch = func(from, to uint32) ([]byte, error) {
		b := make([]byte, to-from)
		if err := s.part(b, Bodies, int64(len(raw))+int64(from)); err != nil {
			return nil, fmt.Errorf("codegraph: words: %w", err)
		}
		return b, nil
	}
	return v, nil
}

// part reads some bytes of a section, unchecked.
func (s *Segment) part(b []byte, sec int, at int64) error {
	_, err := s.File.ReadAt(b, s.off[sec]+at)
	if err == io.EOF && len(b) == 0 {
		return nil
	}
	return err
}

// Head writes what stands before the sections of a segment.
func Head(id uint64, parts [Sections][]byte) []byte {
	head := appendHead(make([]byte, 0, HeadSize), baseMagic)
	head = binary.LittleEndian.AppendUint64(head, id)
	at := uint64(HeadSize)
	for _, p := range parts {
		head = binary.LittleEndian.AppendUint64(head, at)
		head = binary.LittleEndian.AppendUint64(head, uint64(len(p)))
		head = binary.LittleEndian.AppendUint32(head, codec.Checksum(p))
		at += uint64(len(p))
	}
	return binary.LittleEndian.AppendUint32(head, codec.Checksum(head))
}

// Write replaces the segment in a folder.
func Write(dir *disk.Folder, id uint64, parts [Sections][]byte) error {
	head := Head(id, parts)
	return dir.Write(FileName, func(w io.Writer) error {
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
