package cos

// An entry says where an object is: 2 bits of kind, 16 bits of generation or of index in an object stream, 46 bits of
// offset in the file or number of the object stream. Zero: nothing is known.
type entry uint64

const (
	kindFree   = 1 // the object was deleted
	kindOffset = 2
	kindStream = 3
)

func offsetEntry(off int64, gen int) entry {
	return kindOffset<<62 | entry(gen&0xFFFF)<<46 | entry(off)&(1<<46-1)
}

func streamEntry(num, index int) entry {
	return kindStream<<62 | entry(index&0xFFFF)<<46 | entry(num)
}

func (e entry) used() bool    { return e>>62 >= kindOffset }
func (e entry) offset() int64 { return int64(e & (1<<46 - 1)) }

func (e entry) gen() int {
	if e>>62 == kindOffset {
		return int(e >> 46 & 0xFFFF)
	}
	return 0
}

// inStream returns the number of the object stream that holds the object and its index there; 0 when it is in none.
func (e entry) inStream() (num, index int) {
	if e>>62 != kindStream {
		return 0, 0
	}
	return int(e.offset()), int(e >> 46 & 0xFFFF)
}

// A table holds the entries of a file by object number.
type table struct{ entries []entry }

func (t *table) get(num int) entry {
	if t == nil || num < 1 || num >= len(t.entries) {
		return 0
	}
	return t.entries[num]
}

// set keeps an entry, in place of one that is there.
func (t *table) set(num int, e entry) {
	if num < 1 || num > maxObjects {
		return
	}
	if num >= len(t.entries) {
		if num >= cap(t.entries) {
			grown := make([]entry, len(t.entries), min(max(num+1, 2*cap(t.entries)), maxObjects+1))
			copy(grown, t.entries)
			t.entries = grown
		}
		t.entries = t.entries[:num+1]
	}
	t.entries[num] = e
}

// add keeps an entry when there is none yet.
func (t *table) add(num int, e entry) {
	if t.get(num) == 0 {
		t.set(num, e)
	}
}

// used counts the objects.
func (t *table) used() (n int) {
	for _, e := range t.entries {
		if e.used() {
			n++
		}
	}
	return n
}
