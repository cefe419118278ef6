package scan

// A Skip is a file or folder that was left out.
type Skip struct {
	Path, Reason string
	Rule         bool // left out by a rule; false: it could not be read
}

// Counts say what a pass found, in files.
type Counts struct {
	Added, Changed, Removed, Unchanged int
	Parsed, Reused                     int // by a front end; from the pool
}

// CountsOf compares two states; the first may be nil.
func CountsOf(old, st *State) *Counts {
	c := &Counts{}
	if old != nil && old.Mark == st.Mark {
		c.Unchanged = len(st.Files)
		return c
	}
	for p, f := range st.Files {
		var o *File
		if old != nil {
			o = old.Files[p]
		}
		switch {
		case o == nil:
			c.Added++
		case o.Key != f.Key:
			c.Changed++
		default:
			c.Unchanged++
		}
	}
	if old != nil {
		for p := range old.Files {
			if st.Files[p] == nil {
				c.Removed++
			}
		}
	}
	return c
}

// made counts whose facts came from where.
func (c *Counts) made(jobs []*job) {
	for _, j := range jobs {
		if j.parsed {
			c.Parsed++
		}
		if j.reused {
			c.Reused++
		}
	}
}

// SameConfigs tells whether the configuration files of two states are the same.
func SameConfigs(a, b *State) bool {
	if len(a.Configs) != len(b.Configs) {
		return false
	}
	for p, x := range a.Configs {
		if y, ok := b.Configs[p]; !ok || string(x) != string(y) {
			return false
		}
	}
	return true
}
