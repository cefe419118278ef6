package proof

import (
	"path"
	"strconv"
	"strings"
)

// names gives files of a bundle names that mean the same everywhere: no blanks, no signs, no case that tells two apart.
type names struct{ taken map[string]bool }

func newNames() *names { return &names{map[string]bool{}} }

const maxName = 60

// file returns a name in a folder for what has another name elsewhere.
func (n *names) file(dir, name, ext string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	base = strings.TrimSuffix(base, path.Ext(base))
	base = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, base)
	for strings.Contains(base, "--") {
		base = strings.ReplaceAll(base, "--", "-")
	}
	if base = strings.Trim(base[:min(len(base), maxName)], "-"); base == "" {
		base = "document"
	}
	switch strings.ToLower(base) { // devices of Windows
	case "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9":
		base = "document-" + base
	}
	out := base
	for i := 2; n.taken[strings.ToLower(dir+"/"+out)]; i++ {
		out = base + "-" + strconv.Itoa(i)
	}
	n.taken[strings.ToLower(dir+"/"+out)] = true
	return dir + "/" + out + ext
}

func isPDF(name string) bool { return strings.EqualFold(path.Ext(name), ".pdf") }

// sized is what was written.
type sized struct{ data []byte }

func (s *sized) Write(p []byte) (int, error) {
	s.data = append(s.data, p...)
	return len(p), nil
}
