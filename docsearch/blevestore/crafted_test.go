package blevestore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/blevesearch/vellum"

	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
	"github.com/findspot/findspot/internal/errs"
)

// fstOf makes a dictionary of terms, and gives its bytes.
func fstOf(t testing.TB, terms ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	b, err := vellum.New(&buf, nil)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(terms)
	for i, s := range terms {
		if err := b.Insert([]byte(s), uint64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// withRoot makes an FST of states.
func withRoot(states []byte, root int) []byte {
	b := append(binary.LittleEndian.AppendUint64(nil, 1), make([]byte, 8)...)
	b = append(b, states...)
	b = binary.LittleEndian.AppendUint64(b, 1)
	return binary.LittleEndian.AppendUint64(b, uint64(root))
}

// Dictionaries are told that lead in circles or hold more terms than there can be; what vellum writes passes, with as many bytes as it has.
func TestDictionaries(t *testing.T) {
	var many []string
	size := uint64(1) // the root
	for i := range 256 {
		many = append(many, string([]byte{byte(i)}), string([]byte{'x', byte(i), 'y'}), string(bytes.Repeat([]byte{byte(i)}, i)))
	}
	slices.Sort(many)
	many = slices.Compact(many)
	prefixes := map[string]bool{"": true}
	for _, s := range many {
		for i := range len(s) {
			prefixes[s[:i+1]] = true
		}
	}
	size = uint64(len(prefixes))
	if err := segments.CheckFST(fstOf(t, many...), 100*size); err != nil {
		t.Errorf("many terms: %v", err)
	}
	for _, terms := range [][]string{nil, {""}, {"a"}, {"", "a"}, {"a", "b", "ab"}} {
		if err := segments.CheckFST(fstOf(t, terms...), 100); err != nil {
			t.Errorf("%q: %v", terms, err)
		}
	}
	// A state of one transition: what leads on by 2^64-1, past itself.
	circle := make([]byte, 8, 16)
	for i := range circle {
		circle[i] = 0xff
	}
	circle[0] = 0xf7 // from the first byte of the state: to its last
	circle = append(circle, 0x80, 'a', 0x80)
	// States of which each leads to the one before by two ways.
	double := []byte{}
	for range 60 {
		delta := byte(1)
		if len(double) == 0 {
			delta = 0 // the end of a term
		}
		double = append(double, delta, delta, 'b', 'a', 0x10, 2)
	}
	for name, b := range map[string][]byte{
		"a circle":              withRoot(circle, 16+len(circle)-1),
		"2^60 terms":            withRoot(double, 16+len(double)-1),
		"a root behind it":      withRoot(nil, 1<<40),
		"states before it":      withRoot([]byte{0, 0x10, 0xff}, 18),
		"of another format":     append([]byte{2}, fstOf(t, "a")[1:]...),
		"of no bytes":           nil,
		"a state that is cut":   withRoot([]byte{0x3f}, 16),
		"a state within a head": withRoot([]byte{6, 'a', 0x10, 1}, 19),
	} {
		if err := segments.CheckFST(b, 1<<20); !errors.Is(err, errs.Format) {
			t.Errorf("%s: %v, want an error of the format", name, err)
		}
	}
}

func segmentFiles(t testing.TB, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, indexDir, "*.zap"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	return files
}

// What zapx takes memory by when it opens a file is told before.
func TestCraftedSegment(t *testing.T) {
	whole := craftedIndex(t)
	file, err := filepath.Rel(whole, segmentFiles(t, whole)[0])
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(whole, file))
	if err != nil {
		t.Fatal(err)
	}
	foot := len(data) - segments.FooterSize
	u := binary.BigEndian
	stored, fields := int(u.Uint64(data[foot+12:])), int(u.Uint64(data[foot+20:]))
	entries := int(u.Uint64(data[foot+4:]))
	field := int(u.Uint64(data[fields+1:]))
	for name, craft := range map[string]func(b []byte){
		"terabytes of entries, some within others": func(b []byte) { u.PutUint64(b[foot+4:], 1<<40); u.PutUint64(b[foot+12:], uint64(field)-1<<43) },
		"entries within entries":                   func(b []byte) { b[stored+8*entries] = 1 },
		"a name of gigabytes":                      func(b []byte) { u.PutUint32(b[foot:], 1<<31) },
		"many fields":                              func(b []byte) { b[fields], b[fields+1] = 0xff, 0x7f },
		"fields behind the end":                    func(b []byte) { u.PutUint64(b[foot+20:], 1<<50) },
		"a field behind the end":                   func(b []byte) { u.PutUint64(b[fields+1:], 1<<50) },
		"a field of a long name":                   func(b []byte) { b[field], b[field+1] = 0xff, 0x7f },
		"stored values of 4 GB in some bytes": func(b []byte) {
			at := int(u.Uint64(b[stored:]))
			_, k := binary.Uvarint(b[at:])
			meta, _ := binary.Uvarint(b[at:])
			_, k2 := binary.Uvarint(b[at+k:])
			id, _ := binary.Uvarint(b[at+k+k2:])
			copy(b[at+k+k2+int(meta)+int(id):], []byte{0xff, 0xff, 0xff, 0xff, 0x0f})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			b := slices.Clone(data)
			craft(b)
			if err := os.WriteFile(filepath.Join(dir, file), b, 0o600); err != nil {
				t.Fatal(err)
			}
			before := allocated()
			useCrafted(t, dir)
			if used := allocated() - before; used > 200<<20 {
				t.Errorf("%d MB were asked for", used>>20)
			}
		})
	}
}

// Whatever is in a segment, the index is read or there is an error: nothing fails hard.
func FuzzSegment(f *testing.F) {
	whole := craftedIndex(f)
	files := segmentFiles(f, whole)
	info, err := os.Stat(files[0])
	if err != nil {
		f.Fatal(err)
	}
	for at := uint32(info.Size() - segments.FooterSize - 200); at < uint32(info.Size()); at += 4 {
		f.Add(filePatch(3, at, 0xffffffff))
	}
	for at := uint32(0); at < uint32(info.Size()); at += 97 {
		f.Add(filePatch(1, at, 0xffffffff))
	}
	name, err := filepath.Rel(whole, files[0])
	if err != nil {
		f.Fatal(err)
	}
	fuzzFile(f, whole, name, func(t *testing.T, dir string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	})
}
