package segments

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"
	"github.com/golang/snappy"
)

// segmentPlugin makes the segments of a batch. They are zap segments of version 17, which zapx reads and merges, but zapx
// makes them from a map of every record's terms, and that was most of the cost of adding documents. Here a term is a number
// until the segment is written, and one sort by counting brings the terms of all records together.
//
// All segments have the same fields with the same options, so that merging may copy what is stored.
type segmentPlugin struct{ zap.ZapPlugin }

// SegmentType names the plugin in scorch's table, which is one for the program.
const SegmentType = "findspot"

var registerOnce sync.Once

// RegisterPlugin makes the plugin known to scorch.
func RegisterPlugin() {
	registerOnce.Do(func() { scorch.RegisterSegmentPlugin(&segmentPlugin{}, false) })
}

func (*segmentPlugin) Type() string { return SegmentType }

func (*segmentPlugin) Version() uint32 { return zap.Version }

func (p *segmentPlugin) New(docs []index.Document) (segment.Segment, uint64, error) {
	return p.NewUsing(docs, nil)
}

func (*segmentPlugin) NewUsing(docs []index.Document, config map[string]any) (segment.Segment, uint64, error) {
	items := make([]*item, len(docs))
	for i, d := range docs {
		it, ok := d.(*item)
		if !ok {
			return nil, 0, fmt.Errorf("a segment of %T", d)
		}
		items[i] = it
	}
	slices.SortFunc(items, func(a, b *item) int { return a.order - b.order }) // they come in any order
	b := &items[0].enc.builder
	stored, fields, err := b.build(items)
	if err != nil {
		return nil, 0, err
	}
	lists, err := codesOfItems(items)
	if err == nil && lists.len() >= minCodes {
		err = writeCodes(&b.out, []codeLists{lists}, func(_ int, entry uint32) (uint32, bool) { return entry, true })
	}
	if err != nil {
		return nil, 0, err
	}
	mem := b.out.Bytes()
	b.out = bytes.Buffer{} // the segment keeps its bytes
	stats, ok := config[segment.StatsKey].(*segment.Stats)
	if !ok || stats == nil {
		stats = new(segment.Stats)
	}
	seg, err := zap.InitSegmentBase(mem, crc32.ChecksumIEEE(mem), zap.DefaultChunkMode, uint64(len(items)), stored, fields, config, stats)
	return seg, uint64(len(mem)), err
}

// fieldOptions are all fields of all segments.
var fieldOptions = func() map[string]index.FieldIndexingOptions {
	m := map[string]index.FieldIndexingOptions{"type": index.IndexField, "vec": index.IndexField | index.StoreField}
	for _, l := range letters {
		for _, f := range []string{".words", ".idents", ".heads", ".length"} {
			m[l+f] = index.IndexField
		}
	}
	for _, f := range []string{"block", "data", "heads", "layout", "meta", "processed", "start", "sums", "text"} {
		m[f] = index.StoreField
	}
	return m
}()

// fieldNames are the fields by number: "_id" first, and the others in the order of their names, as zapx merges them.
var fieldNames = append([]string{"_id"}, slices.Sorted(maps.Keys(fieldOptions))...)

var fieldNumbers = func() map[string]int {
	m := map[string]int{}
	for i, f := range fieldNames {
		m[f] = i
	}
	return m
}()

// fieldNumber returns the number of a field that there is.
func fieldNumber(name string) int { return fieldNumbers[name] }

// builder writes a segment. What it allocates serves for the next one.
//
// The layout is that of zapx (zap.md, and its readers): stored values by record, with their offsets; for each field its posting
// lists, a dictionary that leads to them, and where that is; the list of the fields. The footer is added with the file.
type builder struct {
	out    bytes.Buffer
	snappy []byte
	data   []byte // stored values of one record
	meta   []byte
	fst    bytes.Buffer
	vellum *vellum.Builder
	tf     []byte   // frequencies and lengths of one term
	ends   []uint64 // of the chunks of tf

	starts  []uint32 // by term: where its records begin in records; then where they end
	used    []uint32 // terms of the field
	records []uint32 // of all terms
	times   []uint32 // beside records
	notes   []uint32 // beside records, of a field that has them
	lengths []uint64 // of the field, by record
}

func (b *builder) uvarint(x uint64) {
	b.out.Write(binary.AppendUvarint(b.out.AvailableBuffer(), x))
}

func (b *builder) uint64(x uint64) {
	b.out.Write(binary.BigEndian.AppendUint64(b.out.AvailableBuffer(), x))
}

// build writes the items, and returns where the offsets of the stored values and the list of the fields begin.
func (b *builder) build(items []*item) (stored, fields uint64, err error) {
	b.out.Reset()
	stored = b.storedValues(items)
	places := make([]uint64, len(fieldNames))
	terms := items[0].enc.vocabulary.Terms()
	for f := range fieldNames {
		if places[f], err = b.field(f, items, terms); err != nil {
			return 0, 0, fmt.Errorf("field %s: %w", fieldNames[f], err)
		}
	}
	offsets := make([]uint64, len(fieldNames))
	for f, name := range fieldNames {
		offsets[f] = uint64(b.out.Len())
		b.uvarint(uint64(len(name)))
		b.out.WriteString(name)
		options := fieldOptions[name]
		if f == 0 {
			options = index.IndexField | index.StoreField
		}
		b.uvarint(uint64(options))
		b.uvarint(1) // kinds of indices of the field
		b.out.Write([]byte{0, zap.SectionInvertedTextIndex})
		b.uint64(places[f])
	}
	fields = uint64(b.out.Len())
	b.uvarint(uint64(len(fieldNames)))
	for _, at := range offsets {
		b.uint64(at)
	}
	return stored, fields, nil
}

func (b *builder) storedValues(items []*item) uint64 {
	offsets := make([]uint64, len(items))
	for i, it := range items {
		b.data, b.meta = b.data[:0], binary.AppendUvarint(b.meta[:0], uint64(len(it.id)))
		for _, s := range it.stored {
			for _, x := range [...]uint64{uint64(s.field), 't', uint64(len(b.data)), uint64(len(s.value)), 0} { // no array positions
				b.meta = binary.AppendUvarint(b.meta, x)
			}
			b.data = append(b.data, s.value...)
		}
		b.snappy = snappy.Encode(b.snappy[:cap(b.snappy)], b.data)
		offsets[i] = uint64(b.out.Len())
		b.uvarint(uint64(len(b.meta)))
		b.uvarint(uint64(len(it.id) + len(b.snappy)))
		b.out.Write(b.meta)
		b.out.WriteString(it.id)
		b.out.Write(b.snappy)
	}
	at := uint64(b.out.Len())
	for _, o := range offsets {
		b.uint64(o)
	}
	b.uvarint(0) // no nested documents
	return at
}

// field writes the postings and the dictionary of a field, and returns where they are described.
func (b *builder) field(f int, items []*item, terms []string) (uint64, error) {
	b.fst.Reset()
	var err error
	if b.vellum == nil {
		b.vellum, err = vellum.New(&b.fst, nil)
	} else {
		err = b.vellum.Reset(&b.fst)
	}
	if err != nil {
		return 0, err
	}
	switch {
	case f == 0:
		err = b.ids(items)
	case fieldNames[f] == "type", fieldNames[f] == "vec":
		err = b.keywords(f, items)
	case fieldOptions[fieldNames[f]].IsIndexed():
		err = b.words(f, items, terms)
	}
	if err != nil {
		return 0, err
	}
	if err := b.vellum.Close(); err != nil {
		return 0, err
	}
	dict := uint64(b.out.Len())
	b.uvarint(uint64(b.fst.Len()))
	b.out.Write(b.fst.Bytes())
	at := uint64(b.out.Len())
	b.uvarint(math.MaxUint64) // no values by record
	b.uvarint(math.MaxUint64)
	b.uvarint(dict)
	return at, nil
}

func (b *builder) ids(items []*item) error {
	order := make([]uint32, len(items))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return strings.Compare(items[x].id, items[y].id) })
	for _, i := range order {
		if err := b.vellum.Insert([]byte(items[i].id), zap.FSTValEncode1Hit(uint64(i), 1)); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) keywords(f int, items []*item) error {
	records := map[string][]uint32{}
	for i, it := range items {
		for _, k := range it.terms {
			if k.field == f {
				records[k.term] = append(records[k.term], uint32(i))
			}
		}
	}
	b.lengths = slices.Grow(b.lengths[:0], len(items))[:len(items)]
	for i := range b.lengths {
		b.lengths[i] = 1
	}
	for _, term := range slices.Sorted(maps.Keys(records)) {
		times := slices.Repeat([]uint32{1}, len(records[term]))
		if err := b.vellum.Insert([]byte(term), b.postings(records[term], times, nil)); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) words(f int, items []*item, terms []string) error {
	// How many records hold each term?
	for len(b.starts) < len(terms) {
		b.starts = append(b.starts, make([]uint32, max(1024, len(b.starts)))...)
	}
	b.used = b.used[:0]
	b.lengths = slices.Grow(b.lengths[:0], len(items))[:len(items)]
	total, noted := 0, false
	for i, it := range items {
		for _, bag := range it.bags {
			if bag.field != f {
				continue
			}
			b.lengths[i] = uint64(bag.length)
			total += len(bag.terms)
			noted = noted || bag.notes != nil
			for _, t := range bag.terms {
				if b.starts[t>>32]++; b.starts[t>>32] == 1 {
					b.used = append(b.used, uint32(t>>32))
				}
			}
		}
	}
	slices.SortFunc(b.used, func(x, y uint32) int { return strings.Compare(terms[x], terms[y]) })
	at := uint32(0)
	for _, t := range b.used {
		b.starts[t], at = at, at+b.starts[t]
	}
	b.records = slices.Grow(b.records[:0], total)[:total]
	b.times = slices.Grow(b.times[:0], total)[:total]
	b.notes = b.notes[:0]
	if noted {
		b.notes = slices.Grow(b.notes, total)[:total]
	}
	for i, it := range items {
		for _, bag := range it.bags {
			if bag.field != f {
				continue
			}
			for k, t := range bag.terms {
				at := b.starts[t>>32]
				b.records[at], b.times[at] = uint32(i), uint32(t)
				if noted {
					b.notes[at] = bag.notes[k]
				}
				b.starts[t>>32]++
			}
		}
	}
	from := uint32(0)
	var err error
	for _, t := range b.used {
		to := b.starts[t]
		b.starts[t] = 0
		var notes []uint32
		if noted {
			notes = b.notes[from:to]
		}
		if err == nil {
			err = b.vellum.Insert([]byte(terms[t]), b.postings(b.records[from:to], b.times[from:to], notes))
		}
		from = to
	}
	return err
}

// postings writes the posting list of a term and returns what the dictionary holds for it. notes are nil where the lengths
// are to stand.
func (b *builder) postings(records, times, notes []uint32) uint64 {
	note := func(i int) uint64 {
		if notes != nil {
			return uint64(notes[i])
		}
		return b.lengths[records[i]]
	}
	if len(records) == 1 && times[0] == 1 && note(0) > 0 {
		return zap.FSTValEncode1Hit(uint64(records[0]), note(0))
	}
	// The numbers are cut into chunks of 1,024 on average, so that a reader may skip; every chunk spans as many records.
	size := len(b.lengths) / (len(records)/1024 + 1)
	b.tf, b.ends = b.tf[:0], b.ends[:0]
	for i, r := range records {
		for chunk := int(r) / size; len(b.ends) < chunk; {
			b.ends = append(b.ends, uint64(len(b.tf)))
		}
		b.tf = binary.AppendUvarint(b.tf, uint64(times[i])<<1) // the low bit: no positions
		b.tf = binary.AppendUvarint(b.tf, note(i))
	}
	for len(b.ends) < (len(b.lengths)-1)/size+1 {
		b.ends = append(b.ends, uint64(len(b.tf)))
	}
	tf := uint64(b.out.Len())
	b.uvarint(uint64(len(b.ends)))
	for _, e := range b.ends {
		b.uvarint(e)
	}
	b.out.Write(b.tf)
	at := uint64(b.out.Len())
	b.uvarint(tf)
	b.uvarint(0) // no positions
	b.bitmap(records)
	return at
}

// bitmap writes a set of numbers in increasing order, with its size, in Roaring's format without runs
// (github.com/RoaringBitmap/RoaringFormatSpec).
func (b *builder) bitmap(list []uint32) {
	const (
		cookie = 12346
		most   = 4096 // values of a list; more are a table of bits
	)
	type container struct{ from, to, size int }
	var all []container
	var one [1]container
	if list[0]>>16 == list[len(list)-1]>>16 {
		one[0] = container{from: 0, to: len(list)}
		all = one[:]
	} else {
		for from := 0; from < len(list); {
			to := from + 1
			for to < len(list) && list[to]>>16 == list[from]>>16 {
				to++
			}
			all = append(all, container{from: from, to: to})
			from = to
		}
	}
	size := 8 + 8*len(all)
	for i := range all {
		c := &all[i]
		if c.size = 2 * (c.to - c.from); c.to-c.from > most {
			c.size = 1 << 13
		}
		size += c.size
	}
	b.uvarint(uint64(size))
	le := binary.LittleEndian
	p := slices.Grow(b.data[:0], size)
	p = le.AppendUint32(le.AppendUint32(p, cookie), uint32(len(all)))
	for _, c := range all {
		p = le.AppendUint16(le.AppendUint16(p, uint16(list[c.from]>>16)), uint16(c.to-c.from-1))
	}
	at := 8 + 8*len(all)
	for _, c := range all {
		p = le.AppendUint32(p, uint32(at))
		at += c.size
	}
	for _, c := range all {
		if c.to-c.from <= most {
			for _, x := range list[c.from:c.to] {
				p = le.AppendUint16(p, uint16(x))
			}
			continue
		}
		from := len(p)
		p = p[:from+c.size]
		clear(p[from:])
		for _, x := range list[c.from:c.to] {
			p[from+int(x&0xffff)>>3] |= 1 << (x & 7)
		}
	}
	b.out.Write(p)
	b.data = p
}
