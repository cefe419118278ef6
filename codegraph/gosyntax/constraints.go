package gosyntax

import (
	"bytes"
	"go/build/constraint"
	"path"
	"slices"
	"strings"
)

// A build is the constraint under which a file is compiled.
type build struct {
	text string
	expr constraint.Expr
	tags []string
}

// constraintOf finds the build constraint above a package clause, "" when there is none.
func constraintOf(head []byte) string {
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if s := strings.TrimSpace(string(line)); constraint.IsGoBuild(s) {
			if _, err := constraint.Parse(s); err == nil && len(s) < 400 {
				return s
			}
		}
		head = rest
	}
	return ""
}

// build gives the constraint of a file, by its name and by what its facts say; nil when it is in every build.
func (m *modules) build(p string) *build {
	if b, ok := m.builds[p]; ok {
		return b
	}
	var all []string
	if _, text, ok := strings.Cut(m.t.Package(p), " "); ok {
		all = append(all, "("+strings.TrimPrefix(text, "//go:build ")+")")
	}
	all = append(all, nameTags(path.Base(p))...)
	var b *build
	if len(all) > 0 {
		if e, err := constraint.Parse("//go:build " + strings.Join(all, " && ")); err == nil {
			b = &build{text: e.String(), expr: e}
			b.tags = tagsOf(e, nil)
		}
	}
	m.builds[p] = b
	return b
}

// nameTags gives the tags that a file's name demands: name_GOOS, name_GOARCH, name_GOOS_GOARCH, before _test.
func nameTags(base string) []string {
	name := strings.TrimSuffix(strings.TrimSuffix(base, ".go"), "_test")
	parts := strings.Split(name, "_")
	if len(parts) < 2 {
		return nil
	}
	last := parts[len(parts)-1]
	if architectures[last] {
		if before := parts[len(parts)-2]; len(parts) > 2 && systems[before] {
			return []string{before, last}
		}
		return []string{last}
	}
	if systems[last] {
		return []string{last}
	}
	return nil
}

func tagsOf(e constraint.Expr, out []string) []string {
	switch e := e.(type) {
	case *constraint.TagExpr:
		if !slices.Contains(out, e.Tag) {
			out = append(out, e.Tag)
		}
	case *constraint.NotExpr:
		return tagsOf(e.X, out)
	case *constraint.AndExpr:
		return tagsOf(e.Y, tagsOf(e.X, out))
	case *constraint.OrExpr:
		return tagsOf(e.Y, tagsOf(e.X, out))
	}
	return out
}

// Apart tells whether two files are never part of one build. See [lang.Excluder].
func (m *modules) Apart(a, b string) bool {
	if a == b {
		return false
	}
	x, y := m.build(a), m.build(b)
	if x == nil || y == nil || x.text == y.text {
		return false
	}
	k := [2]string{x.text, y.text}
	v, ok := m.apart[k]
	if !ok {
		v = !compatible(x, y)
		m.apart[k] = v
	}
	return v
}

// compatible tells whether there is a system, an architecture and a choice of other tags that satisfy both. With too many tags
// to try there is.
func compatible(x, y *build) bool {
	oses, archs := []string{"linux", "windows", "plan9"}, []string{"amd64", "other"}
	var free []string
	for _, t := range tagsOf(y.expr, slices.Clone(x.tags)) {
		switch {
		case systems[t]:
			oses = append(oses, t)
		case architectures[t]:
			archs = append(archs, t)
		case t != "unix":
			free = append(free, t)
		}
	}
	if len(free) > 8 || len(oses)*len(archs) > 400 {
		return true
	}
	for _, goos := range oses {
		for _, arch := range archs {
			for bits := range 1 << len(free) {
				has := func(tag string) bool {
					switch {
					case tag == "unix":
						return unix[goos]
					case systems[tag]:
						return tag == goos || tag == "linux" && goos == "android" || tag == "darwin" && goos == "ios" || tag == "solaris" && goos == "illumos"
					case architectures[tag]:
						return tag == arch
					}
					return bits&(1<<slices.Index(free, tag)) != 0
				}
				if x.expr.Eval(has) && y.expr.Eval(has) {
					return true
				}
			}
		}
	}
	return false
}

// The systems and architectures of the go command (go/build, "syslist").
var (
	systems = words(`aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos`)
	unix    = words(`aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris`)

	architectures = words(`386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64
ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm`)
)
