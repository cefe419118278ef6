//go:build ignore

// Gencmaps writes cmaps.bin from the CMap files of Debian's poppler-data package (folder cMap, BSD-3-Clause, see
// cmaps.LICENSE):
//
//	go run gencmaps.go /usr/share/poppler/cMap
//
// The result is a DEFLATE stream of records, all numbers as varints: length and bytes of the name; number of code space
// ranges, each bytes, low, high; number of CID ranges, each low minus the last high, length, signed step of the CID;
// length and bytes of the name of the map that is used; number of text entries, each signed step of the CID and the UTF-16 value.
package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

var families = []string{"Adobe-GB1", "Adobe-Japan1", "Adobe-CNS1", "Adobe-Korea1"}

// The predefined CMaps of ISO 32000-1, table 118, without the vertical ones, which only move some CIDs.
var names = map[string]bool{}

func init() {
	for _, n := range strings.Fields(`GB-EUC-H GBpc-EUC-H GBK-EUC-H GBKp-EUC-H GBK2K-H UniGB-UCS2-H UniGB-UTF16-H
		B5pc-H HKscs-B5-H ETen-B5-H ETenms-B5-H CNS-EUC-H UniCNS-UCS2-H UniCNS-UTF16-H
		83pv-RKSJ-H 90ms-RKSJ-H 90msp-RKSJ-H 90pv-RKSJ-H Add-RKSJ-H EUC-H Ext-RKSJ-H H UniJIS-UCS2-H UniJIS-UCS2-HW-H UniJIS-UTF16-H RKSJ-H
		KSC-EUC-H KSCms-UHC-H KSCms-UHC-HW-H KSCpc-EUC-H UniKS-UCS2-H UniKS-UTF16-H
		Adobe-GB1-UCS2 Adobe-Japan1-UCS2 Adobe-CNS1-UCS2 Adobe-Korea1-UCS2`) {
		names[n] = true
	}
}

func main() {
	var out bytes.Buffer
	for _, fam := range families {
		files, err := filepath.Glob(filepath.Join(os.Args[1], fam, "*"))
		if err != nil {
			log.Fatal(err)
		}
		sort.Strings(files)
		for _, p := range files {
			if names[filepath.Base(p)] {
				data, err := os.ReadFile(p)
				if err != nil {
					log.Fatal(err)
				}
				record(&out, filepath.Base(p), string(data))
			}
		}
	}
	var z bytes.Buffer
	w, _ := flate.NewWriter(&z, 9)
	w.Write(out.Bytes())
	w.Close()
	fmt.Println(out.Len(), z.Len())
	if err := os.WriteFile("cmaps.bin", z.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

func num(s string) uint64 {
	b, err := hex.DecodeString(strings.Trim(s, "<>"))
	if err != nil {
		return 0
	}
	var v uint64
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}

func record(out *bytes.Buffer, name, data string) {
	type rng struct{ lo, hi, cid uint64 }
	var spaces [][3]uint64
	var cids []rng
	var text []rng
	use := ""
	mode := ""
	for line := range strings.Lines(data) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || strings.HasPrefix(f[0], "%"):
		case len(f) == 2 && f[1] == "usecmap":
			use = strings.TrimPrefix(f[0], "/")
		case len(f) == 2 && strings.HasPrefix(f[1], "begin"):
			mode = strings.TrimPrefix(f[1], "begin")
		case strings.HasPrefix(f[0], "end"):
			mode = ""
		case mode == "codespacerange":
			spaces = append(spaces, [3]uint64{uint64(len(f[0])-2) / 2, num(f[0]), num(f[1])})
		case mode == "cidrange", mode == "cidchar":
			hi := f[len(f)-2]
			var v uint64
			fmt.Sscan(f[len(f)-1], &v)
			cids = append(cids, rng{num(f[0]), num(hi), v})
		case mode == "bfchar" && len(f[1]) <= 10:
			text = append(text, rng{num(f[0]), num(f[0]), num(f[1])})
		case mode == "bfrange" && !strings.HasPrefix(f[2], "["):
			text = append(text, rng{num(f[0]), num(f[1]), num(f[2])})
		case mode == "bfrange":
			for i, s := range strings.Fields(strings.Trim(strings.Join(f[2:], " "), "[]")) {
				c := num(f[0]) + uint64(i)
				text = append(text, rng{c, c, num(s)})
			}
		}
	}
	put := func(v uint64) { out.Write(binary.AppendUvarint(nil, v)) }
	str := func(s string) { put(uint64(len(s))); out.WriteString(s) }
	ranges := func(rs []rng) {
		sort.SliceStable(rs, func(i, j int) bool { return rs[i].lo < rs[j].lo })
		put(uint64(len(rs)))
		var code, cid uint64
		for _, r := range rs {
			out.Write(binary.AppendVarint(nil, int64(r.lo-code)))
			put(r.hi - r.lo)
			out.Write(binary.AppendVarint(nil, int64(r.cid-cid)))
			code, cid = r.hi, r.cid+r.hi-r.lo
		}
	}
	str(name)
	put(uint64(len(spaces)))
	for _, s := range spaces {
		put(s[0])
		put(s[1])
		put(s[2])
	}
	ranges(cids)
	str(use)
	ranges(text)
}
