package codegraph

// A skip is a file or folder that was left out.
type skip struct {
	Path, Reason string
	Rule         bool // left out by a rule; false: it could not be read
}

// counts say what a pass found, in files.
type counts struct {
	added, changed, removed, unchanged int
	parsed, reused                     int // by a front end; from the pool
}

// countsOf compares two states; the first may be nil.
func countsOf(old, st *state) *counts {
	c := &counts{}
	if old != nil && old.mark == st.mark {
		c.unchanged = len(st.files)
		return c
	}
	for p, f := range st.files {
		var o *fileState
		if old != nil {
			o = old.files[p]
		}
		switch {
		case o == nil:
			c.added++
		case o.key != f.key:
			c.changed++
		default:
			c.unchanged++
		}
	}
	if old != nil {
		for p := range old.files {
			if st.files[p] == nil {
				c.removed++
			}
		}
	}
	return c
}

// made counts whose facts came from where.
func (c *counts) made(jobs []*job) {
	for _, j := range jobs {
		if j.parsed {
			c.parsed++
		}
		if j.reused {
			c.reused++
		}
	}
}

func sameConfigs(a, b *state) bool {
	if len(a.configs) != len(b.configs) {
		return false
	}
	for p, x := range a.configs {
		if y, ok := b.configs[p]; !ok || string(x) != string(y) {
			return false
		}
	}
	return true
}
