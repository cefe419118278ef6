package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docs/bench/internal/swebench"
	"github.com/findspot/findspot/internal/locscore"
)

// localise scores what is found for issues whose repositories are present.
func localise(ctx context.Context, file, repositories, theirsFile, work string) (_ []result, err error) {
	issues, err := swebench.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if work == "" {
		if work, err = os.MkdirTemp("", "parity-"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	}
	gold, ours := map[string]locscore.Places{}, map[string]locscore.Places{}
	noRepository, noCommit, noTree := 0, 0, 0
	for _, is := range issues {
		git, ok := gitDir(repositories, is.Repo)
		if !ok {
			noRepository++
			continue
		}
		if err := exec.CommandContext(ctx, "git", "--git-dir", git, "cat-file", "-e", is.Base+"^{commit}").Run(); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			noCommit++
			continue
		}
		changed, found, err := one(ctx, is, git, work)
		if errors.Is(err, errCheckout) && ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", is.ID, err)
			noTree++
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", is.ID, err)
		}
		gold[is.ID], ours[is.ID] = changed, found
		fmt.Fprintf(os.Stderr, "%s\n", is.ID)
	}
	fmt.Printf("%d of %d issues measured; of %d the repository is absent, of %d the commit, of %d a file of its tree\n", len(gold), len(issues), noRepository, noCommit, noTree)
	if len(gold) == 0 {
		return nil, fmt.Errorf("no issue of %s has its repository in %s", file, repositories)
	}
	sides := []struct {
		name  string
		found map[string]locscore.Places
	}{{"findspot", ours}}
	if theirsFile != "" {
		theirs, err := readFound(theirsFile)
		if err != nil {
			return nil, err
		}
		sides = append(sides, struct {
			name  string
			found map[string]locscore.Places
		}{"LocAgent", theirs})
	}
	var out []result
	fmt.Printf("\n| | level | k | issues | acc | any | NDCG |\n|---|---|---|---|---|---|---|\n")
	for _, side := range sides {
		scores, err := locscore.Measure(gold, side.found)
		if err != nil {
			return nil, err
		}
		for _, s := range scores {
			fmt.Printf("| %s | %s | %d | %d | %.4f | %.4f | %.4f |\n", side.name, s.Level, s.K, s.Issues, s.Acc, s.Any, s.NDCG)
			if side.name == "findspot" {
				at := fmt.Sprintf("localise/%s/%s@%d ", filepath.Base(file), s.Level, s.K)
				out = append(out, result{at + "acc", s.Acc, false}, result{at + "ndcg", s.NDCG, false})
			}
		}
	}
	return out, nil
}

// gitDir finds the git directory of a repository.
func gitDir(root, repo string) (string, bool) {
	owner, name, _ := strings.Cut(repo, "/")
	for _, folder := range []string{filepath.Join(owner, name), owner + "__" + name, owner + "+" + name} {
		for _, inside := range []string{".git", "repo", "."} {
			dir := filepath.Join(root, folder, inside)
			if _, err := os.Stat(filepath.Join(dir, "objects")); err == nil {
				return dir, true
			}
		}
	}
	return "", false
}

// errCheckout is that of a tree which its repository does not have whole, as in a partial clone.
var errCheckout = errors.New("git checkout")

// one takes the tree of an issue out, indexes it, and returns what the fix changed and what is found.
func one(ctx context.Context, is *swebench.Issue, git, work string) (gold, found locscore.Places, err error) {
	tree := filepath.Join(work, "tree")
	if err := os.RemoveAll(tree); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tree)) }()
	if err := os.MkdirAll(tree, 0o755); err != nil {
		return nil, nil, err
	}
	// An index of its own: nothing of the repository is changed, and its configuration is not asked for filters or hooks.
	cmd := exec.CommandContext(ctx, "git", "--git-dir", git, "--work-tree", tree, "-c", "core.hooksPath=/dev/null", "checkout", "--quiet", "--force", is.Base, "--", ".")
	cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+filepath.Join(work, "git-index"), "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("%w: %w: %s", errCheckout, err, strings.TrimSpace(string(out)))
	}
	if err := os.Remove(filepath.Join(work, "git-index")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	index := filepath.Join(work, "index", is.ID)
	ix, err := codegraph.Open(ctx, index, tree, findspot.Languages(), &codegraph.Options{Facts: filepath.Join(work, "facts")})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, ix.Close(), os.RemoveAll(index)) }()
	g := ix.Graph()
	if gold, err = changed(g, is.Patch); err != nil {
		return nil, nil, err
	}
	res, err := g.Locate(ctx, is.Statement, &codegraph.LocateOptions{Limit: 200, Files: 20, Lines: -1})
	if err != nil {
		return nil, nil, err
	}
	var ids []string
	for _, s := range res.Spots {
		ids = append(ids, s.ID)
	}
	return gold, locscore.Of(ids), nil
}

// changed returns what a patch changes of a tree: files that were there, and the functions and modules around what it removes, and
// around what it adds between two lines of them.
func changed(g *codegraph.Graph, patch string) (locscore.Places, error) {
	changes, err := swebench.Changes(patch)
	if err != nil {
		return nil, err
	}
	gold := locscore.Places{}
	for _, c := range changes {
		if c.New {
			continue
		}
		gold.Add(locscore.File, c.Path)
		around := func(line int, both bool) {
			e, ok := g.Enclosing(c.Path, line)
			for ok && both && e.EndLine == line { // it ends there: what is added stands behind it
				owner := e.ID[:max(strings.LastIndexByte(e.ID, '.'), strings.IndexByte(e.ID, ':'))]
				e, ok = g.Entity(owner)
			}
			if !ok || e.Kind != codegraph.KindFunction && e.Kind != codegraph.KindClass {
				return
			}
			p := locscore.Of([]string{e.ID})
			gold.Add(locscore.Module, p[locscore.Module][0])
			if e.Kind == codegraph.KindFunction {
				gold.Add(locscore.Function, p[locscore.Function][0])
			}
		}
		for _, line := range c.Removed {
			around(line, false)
		}
		for _, line := range c.Added {
			around(line, true)
		}
	}
	return gold, nil
}

// readFound reads places in LocAgent's output form.
func readFound(file string) (_ map[string]locscore.Places, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := map[string]locscore.Places{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		var l struct {
			ID       string   `json:"instance_id"`
			Files    []string `json:"found_files"`
			Modules  []string `json:"found_modules"`
			Entities []string `json:"found_entities"`
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		p := locscore.Places{locscore.File: l.Files, locscore.Module: l.Modules}
		for _, id := range l.Entities {
			p.Add(locscore.Function, withoutConstructor(id))
		}
		out[l.ID] = p
	}
	return out, lines.Err()
}
