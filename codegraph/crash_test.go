package codegraph

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/internal/update"
	"github.com/findspot/findspot/codegraph/lang"
)

// TestMain runs the tests, or is the process that TestKilled kills.
func TestMain(m *testing.M) {
	if args := os.Getenv("FINDSPOT_TEST_KILLED"); args != "" {
		if err := editUntilKilled(args); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// editUntilKilled opens an index and goes on editing its repository and updating it. The arguments are the folders of index, repository and
// facts and a seed, by line.
func editUntilKilled(args string) error {
	a := strings.Split(args, "\n")
	dir, root, facts := a[0], a[1], a[2]
	seed, err := strconv.ParseUint(a[3], 10, 64)
	if err != nil {
		return err
	}
	ctx := context.Background()
	opt, err := (&Options{Facts: facts, Progress: func(p Progress) {
		if p.Done == 1 {
			fmt.Println("reading")
		}
	}}).withDefaults()
	if err != nil {
		return err
	}
	opt.MinLog = 4 << 10 // so that the log is folded often
	ix, err := update.Open(ctx, dir, root, []lang.Frontend{gosyntax.Frontend()}, opt)
	if err != nil {
		return err
	}
	fmt.Println("opened")
	rnd := rand.New(rand.NewPCG(seed, 1))
	for {
		for range 1 + rnd.IntN(3) {
			n := rnd.IntN(60)
			p := filepath.Join(root, fmt.Sprintf("p%d", n%5), fmt.Sprintf("f%d.go", n))
			if rnd.IntN(6) == 0 {
				if err := os.Remove(p); err != nil && !os.IsNotExist(err) {
					return err
				}
				continue
			}
			text := fmt.Sprintf("package p%d\n\nfunc F%d() { F%d(); F%d() }\n", n%5, n, rnd.IntN(60), rnd.IntN(60))
			if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
				return err
			}
		}
		if _, err := ix.Update(ctx); err != nil {
			return err
		}
		fmt.Println("saved")
	}
}
