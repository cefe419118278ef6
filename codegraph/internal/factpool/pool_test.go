package factpool

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/factcodec"
	"github.com/findspot/findspot/codegraph/lang"
)

func namesIn(t testing.TB, p *Pool) []string {
	t.Helper()
	list, err := os.ReadDir(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range list {
		out = append(out, d.Name())
	}
	return out
}

// The folder has a bound, what nobody uses goes first, and what is not ours stays.
func TestPoolIsTrimmed(t *testing.T) {
	now := time.Now()
	p := &Pool{Dir: t.TempDir(), Size: 1000, Logger: slog.New(slog.DiscardHandler)}
	put := func(name string, size int, age time.Duration) {
		t.Helper()
		path := filepath.Join(p.Dir, name)
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	put("notes.txt", 5000, 2*poolAge)
	put("old.facts", 10, 2*poolAge)
	put("batch1.tmp", 10, time.Minute)
	put("batch2.tmp", 10, 2*poolRest)
	for i := range 10 {
		put(fmt.Sprintf("b%d.facts", i), 100, time.Duration(10-i)*time.Minute)
	}
	check := func(want ...string) {
		t.Helper()
		if err := p.trim(now); err != nil {
			t.Fatal(err)
		}
		if got := namesIn(t, p); !slices.Equal(got, want) {
			t.Errorf("left %v, want %v", got, want)
		}
	}
	check("b0.facts", "b1.facts", "b2.facts", "b3.facts", "b4.facts", "b5.facts", "b6.facts", "b7.facts", "b8.facts", "b9.facts", "batch1.tmp", "notes.txt")
	put("new.facts", 1, 0)
	check("b3.facts", "b4.facts", "b5.facts", "b6.facts", "b7.facts", "b8.facts", "b9.facts", "batch1.tmp", "new.facts", "notes.txt")
}

// What is used counts as new.
func TestPoolRemembersUse(t *testing.T) {
	p := &Pool{Dir: t.TempDir(), Size: PoolSize, Logger: slog.New(slog.DiscardHandler)}
	k := Key{Lang: "x", Ext: ".x", Version: 1}
	r := NewRecord(&lang.Facts{Lang: "xx", Package: "p"}, nil) // a front end may tell the language by the content, as for headers
	v := p.Visit(PoolLeast)
	v.Put(k, r)
	v.End()
	name := namesIn(t, p)
	if len(name) != 1 {
		t.Fatalf("batches %v", name)
	}
	path := filepath.Join(p.Dir, name[0])
	long := time.Now().Add(-poolAge)
	for _, k2 := range []Key{{Lang: "x", Ext: ".y", Version: 1}, {Lang: "x", Ext: ".x", Version: 2}, {Lang: "x", Ext: ".x", Version: 1, Hash: [32]byte{1}}, k} {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
		v := p.Visit(PoolLeast)
		f, got := v.Get(k2, 100)
		v.End()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if hit := k2 == k; (f != nil) != hit || info.ModTime().After(long.Add(time.Minute)) != hit || hit && (got.Pkg != "p" || !bytes.Equal(got.Facts, r.Facts) || !bytes.Equal(got.Packed, r.Packed)) {
			t.Errorf("get(%+v) = %+v, %+v, used %v", k2, f, got, info.ModTime())
		}
	}
	if p.Visit(PoolLeast-1) != nil {
		t.Error("a few files are not worth a look")
	}
}

// Whatever is in a batch, it gives facts that can be used, or none. The checksum of the table is made right, so that what is behind it is reached.
func FuzzPool(f *testing.F) {
	packed := codec.Pack(factcodec.Encode(&lang.Facts{Lang: "x", Decls: []lang.Decl{{Name: "f", Kind: lang.Function, Parent: lang.File}}}))
	table := binary.LittleEndian.AppendUint32(make([]byte, 32), uint32(len(packed)))
	table = binary.LittleEndian.AppendUint32(table, codec.Checksum(packed))
	f.Add(table, packed)
	f.Add(table[:39], packed)
	f.Add(append(slices.Clone(table), table...), packed)
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, table, data []byte) {
		p := &Pool{Dir: t.TempDir(), Size: PoolSize, Logger: slog.New(slog.DiscardHandler)}
		b := append([]byte(nil), poolMagic...)
		b = binary.LittleEndian.AppendUint32(b, poolVersion)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(table)/poolEntry))
		b = binary.LittleEndian.AppendUint32(b, codec.Checksum(table[:len(table)/poolEntry*poolEntry]))
		b = append(append(b, table...), data...)
		if err := os.WriteFile(filepath.Join(p.Dir, "a"+poolSuffix), b, 0o600); err != nil {
			t.Fatal(err)
		}
		v := p.Visit(PoolLeast)
		ids := make([]poolKey, 0, len(v.at))
		for id := range v.at {
			ids = append(ids, id)
		}
		for _, id := range ids {
			v.find(id, func(packed []byte) error {
				facts, _, err := unpack(packed, 100)
				if err == nil && (facts.Check() != nil || len(packed) == 0) {
					t.Fatal(facts.Check())
				}
				return err
			})
		}
		v.End()
	})
}
