package plant

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// many is how many modules a branch adds; the branches share two thirds of them, which differ in every second one.
const many = 240

// branch is the tree of one of two branches.
func (p *Plant) branch(second bool) tree {
	t := p.base()
	for i := range many {
		p.ids++ // the same on both
		if second && i < many/3 || !second && i >= many*2/3 {
			continue
		}
		n := node{listed: true, uses: []use{{"peak", p.ids}}}
		if second && i%2 == 0 {
			n.pad = 2
		}
		t[fmt.Sprintf("many/d%02d/m%03d", i%17, i)] = n
	}
	if second {
		t["base/core"] = node{defs: []string{"peek", "peak"}, pad: 3, listed: true}
	}
	return t
}

// switched makes the repository a git repository with two branches that differ in hundreds of files, the first time, and goes
// from one to the other. In the end the files are those of the beginning.
func switched(p *Plant, _ int) []Step {
	first := p.now
	to := func(name string, t func() tree) Step {
		return Step{Do: func() ([]Check, error) {
			if err := p.git("checkout", "-q", name); err != nil {
				return nil, err
			}
			p.now = t()
			disk, err := p.render(p.now)
			if err != nil {
				return nil, err
			}
			p.disk = disk
			mod := "many/d15/m117" // on both
			if name == "zqrest" {
				mod = "u1/a"
			}
			return p.checks("peak", mod), nil
		}}
	}
	one, two := func() tree { return p.branch(false) }, func() tree { return p.branch(true) }
	begin := func() error {
		if _, err := os.Stat(p.abs(".git")); err == nil {
			return nil
		}
		if err := p.git("init", "-q"); err != nil {
			return err
		}
		for _, b := range []struct {
			name string
			tree tree
		}{{"zqrest", first}, {"zqone", one()}, {"zqtwo", two()}} {
			if err := p.set(b.tree); err != nil {
				return err
			}
			for _, args := range [][]string{{"checkout", "-q", "-b", b.name}, {"add", "-f", "-A", "."}, {"commit", "-q", "-m", b.name}} {
				if err := p.git(args...); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return []Step{
		p.quietly(begin, to("zqone", one)),
		to("zqtwo", two),
		to("zqone", one),
		to("zqrest", p.base),
	}
}

// git runs git in the root, without anybody's configuration.
func (p *Plant) git(args ...string) error {
	cmd := exec.Command("git", append([]string{"-c", "user.name=plant", "-c", "user.email=plant@example.com", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0"}, args...)...)
	cmd.Dir = p.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %v: %s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}
