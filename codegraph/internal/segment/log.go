package segment

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/internal/disk"
)

// A Log is an open delta.log: what changed since its segment was written, a record an update.
//
//	header   magic, version, checksum of both, id of the segment, checksum of all that
//	record   length of the payload, checksum of it and of the id of the segment (uint32 each), payload
type Log struct {
	File *os.File
	Size int64
	ID   uint64
}

// LogHead writes what stands before the records of a log.
func LogHead(id uint64) []byte {
	b := appendHead(nil, logMagic)
	b = binary.LittleEndian.AppendUint64(b, id)
	return binary.LittleEndian.AppendUint32(b, codec.Checksum(b))
}

// createLog replaces the log in a folder by an empty one.
func createLog(dir *disk.Folder, id uint64) error { return dir.WriteFile(LogName, LogHead(id)) }

// maxLog bounds a log, in bytes: no record is over 1 GB, and before there is another the log is folded when it is over its share.
const maxLog = 4 << 30

// ReadLog gives the records of a log that belongs to a segment, how many bytes of it are whole, and how many are not.
func ReadLog(dir *disk.Folder, id uint64) (records [][]byte, whole, torn int64, err error) {
	b, err := dir.ReadFile(LogName, maxLog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, 0, nil
	}
	if err != nil {
		return nil, 0, 0, err
	}
	err = checkHead(b, logMagic)
	if newer := (*NewerError)(nil); errors.As(err, &newer) {
		return nil, 0, 0, err
	}
	if err != nil || len(b) < LogHeadSize || codec.Checksum(b[:LogHeadSize-4]) != binary.LittleEndian.Uint32(b[LogHeadSize-4:]) {
		return nil, 0, int64(len(b)), nil
	}
	if binary.LittleEndian.Uint64(b[fileHead:]) != id {
		return nil, 0, 0, nil // of a segment that has been replaced, and holds all of it
	}
	at := LogHeadSize
	for at+8 <= len(b) {
		n, sum := uint64(binary.LittleEndian.Uint32(b[at:])), binary.LittleEndian.Uint32(b[at+4:])
		if n > uint64(len(b)-at-8) {
			break
		}
		p := b[at+8 : at+8+int(n)]
		if RecordSum(id, p) != sum {
			break
		}
		records = append(records, p)
		at += 8 + int(n)
	}
	return records, int64(at), int64(len(b) - at), nil
}

// RecordSum is the checksum of a record of the log of a segment.
func RecordSum(id uint64, payload []byte) uint32 {
	return codec.AddChecksum(codec.Checksum(binary.LittleEndian.AppendUint64(nil, id)), payload)
}

// OpenLog opens a log to go on after its whole records.
func OpenLog(dir *disk.Folder, id uint64, whole int64) (*Log, error) {
	if whole == 0 {
		if err := createLog(dir, id); err != nil {
			return nil, err
		}
		whole = LogHeadSize
	}
	f, err := dir.OpenWrite(LogName)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(whole); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Log{File: f, Size: whole, ID: id}, nil
}

// Append adds a record and waits until it is on disk. After an error the log ends where it did.
func (l *Log) Append(payload []byte) error {
	b := make([]byte, 0, 8+len(payload))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, RecordSum(l.ID, payload))
	b = append(b, payload...)
	if _, err := l.File.WriteAt(b, l.Size); err != nil {
		return errors.Join(err, l.File.Truncate(l.Size))
	}
	if err := l.File.Sync(); err != nil {
		return errors.Join(err, l.File.Truncate(l.Size))
	}
	l.Size += int64(len(b))
	return nil
}
