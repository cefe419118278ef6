package opc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf16"

	"github.com/findspot/findspot/internal/errs"
)

// maxDirectory bounds the sectors of a directory that are looked at.
const maxDirectory = 1000

// compound returns why a compound file ([MS-CFB]) is not read, and nil for any other file.
func compound(r io.ReaderAt, size int64) error {
	var head [512]byte
	if _, err := r.ReadAt(head[:], 0); err != nil || !bytes.HasPrefix(head[:], []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) {
		return nil // files of less than 512 bytes are for the reader of ZIP to refuse
	}
	names := directory(r, size, head[:])
	switch {
	case names["EncryptedPackage"], names["EncryptionInfo"]:
		return fmt.Errorf("%w: the document is locked by a password: save it without one", errs.Encrypted)
	case names["WordDocument"]:
		return fmt.Errorf("%w: a document of Word 97 to 2003 (.doc): save it as .docx", errs.Unsupported)
	case names["Workbook"], names["Book"]:
		return fmt.Errorf("%w: a workbook of Excel 97 to 2003 (.xls): save it as .xlsx", errs.Unsupported)
	case names["PowerPoint Document"]:
		return fmt.Errorf("%w: a presentation of PowerPoint 97 to 2003 (.ppt): save it as .pptx", errs.Unsupported)
	}
	return fmt.Errorf("%w: a compound file, as older office programs write: save it as .docx, .pptx or .xlsx", errs.Unsupported)
}

// directory returns the names in the directory of a compound file, as far as it can be followed from the first 109 sectors of its allocation table.
func directory(r io.ReaderAt, size int64, head []byte) map[string]bool {
	names := map[string]bool{}
	shift := binary.LittleEndian.Uint16(head[30:])
	if shift != 9 && shift != 12 {
		return names
	}
	sector := int64(1) << shift
	at := func(n uint32) int64 { return (int64(n) + 1) * sector }
	buf := make([]byte, sector)
	entries := uint32(sector / 4)
	for n, count := binary.LittleEndian.Uint32(head[48:]), 0; n < 0xfffffffa && count < maxDirectory && at(n)+sector <= size; count++ {
		if _, err := r.ReadAt(buf, at(n)); err != nil {
			return names
		}
		for e := 0; e+128 <= len(buf); e += 128 {
			length := int(binary.LittleEndian.Uint16(buf[e+64:]))
			if length < 2 || length > 64 {
				continue
			}
			units := make([]uint16, length/2-1)
			for i := range units {
				units[i] = binary.LittleEndian.Uint16(buf[e+2*i:])
			}
			names[string(utf16.Decode(units))] = true
		}
		table := n / entries
		if table >= 109 {
			return names
		}
		var next [4]byte
		if _, err := r.ReadAt(next[:], at(binary.LittleEndian.Uint32(head[76+4*table:]))+int64(n%entries)*4); err != nil {
			return names
		}
		n = binary.LittleEndian.Uint32(next[:])
	}
	return names
}
