package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/registry"
)

// maxDataSlots bounds the data folders of an entry, and so the processes of a user's that work at the same time.
const maxDataSlots = 64

// DataFolder is where a server keeps what it makes of a workspace folder: in the user's cache folder, never in the
// repository. It is locked for as long as the process lives, so that a second client gets another one, and it is empty at
// the start and after the end: what an earlier process read may be of the past.
type DataFolder struct {
	Home    string // holds the lock and what follows
	Data    string // for the server
	Project string // of the project that stands for the workspace folder
	Lock    *disk.Lock
}

// OpenData returns a free data folder for a server, nil if its command wants none. Inside reports
// whether a path lies in the repository, where no data goes.
func OpenData(inside func(path string) bool, server string, args []string) (*DataFolder, error) {
	if !registry.NeedsData(args) {
		return nil, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("no folder for the data of %s: %w", server, err)
	}
	if inside(cache) {
		return nil, fmt.Errorf("the data of %s would lie in the repository, since the user's cache folder %s does: %w", server, cache, errs.Unsupported)
	}
	base := filepath.Join(cache, "findspot", "lsp", server)
	var last error
	for slot := range maxDataSlots {
		home := filepath.Join(base, strconv.Itoa(slot))
		if err := os.MkdirAll(home, 0o700); err != nil {
			return nil, err
		}
		lock, err := disk.AcquireLock(home, 0)
		if err != nil {
			last = err // another process works there
			continue
		}
		d := &DataFolder{Home: home, Data: filepath.Join(home, "data"), Project: filepath.Join(home, "project"), Lock: lock}
		if err := errors.Join(d.empty(), os.MkdirAll(d.Data, 0o700), os.MkdirAll(d.Project, 0o700), sweepData(base)); err != nil {
			return nil, errors.Join(err, lock.Unlock())
		}
		return d, nil
	}
	return nil, fmt.Errorf("%d processes of %s run already: %w", maxDataSlots, server, last)
}

func (d *DataFolder) empty() error {
	return errors.Join(os.RemoveAll(d.Data), os.RemoveAll(d.Project))
}

// Fill puts the folders in the places of the arguments that stand for them.
func (d *DataFolder) Fill(args []string) []string {
	if d == nil {
		return args
	}
	var out []string
	for _, a := range args {
		out = append(out, strings.ReplaceAll(a, registry.DataArg, d.Data))
	}
	return out
}

// sharedArg stands in the environment for a folder that all processes of the entry share, for what says nothing of any
// repository.
const sharedArg = "{shared}"

// FillEnv does the same in an environment, whose values are lists of words: a word with a placeholder is left out if the
// path in its place would be more than a word.
func (d *DataFolder) FillEnv(env []string) []string {
	if d == nil {
		return env
	}
	shared := filepath.Join(filepath.Dir(d.Home), "shared")
	out := slices.Clone(env)
	for i, kv := range out {
		if !strings.Contains(kv, sharedArg) {
			continue
		}
		if !strings.ContainsAny(shared, " \t\"'\\") {
			out[i] = strings.ReplaceAll(kv, sharedArg, shared)
			continue
		}
		out[i] = strings.Join(slices.DeleteFunc(strings.Fields(kv), func(w string) bool { return strings.Contains(w, sharedArg) }), " ")
	}
	return out
}

// Close gives the folder back, after the process has ended.
func (d *DataFolder) Close() error {
	if d == nil {
		return nil
	}
	return errors.Join(d.empty(), d.Lock.Unlock())
}

// sweepData empties the folders of processes that ended without doing so. The small rest of each stays: a lock that is
// removed would let two processes hold locks on two files of one name.
func sweepData(base string) error {
	entries, err := os.ReadDir(base)
	if err != nil {
		return err
	}
	for _, e := range entries {
		home := filepath.Join(base, e.Name())
		if _, err := os.Stat(filepath.Join(home, "data")); err != nil {
			continue
		}
		lock, err := disk.AcquireLock(home, 0)
		if err != nil {
			continue // in use
		}
		d := &DataFolder{Home: home, Data: filepath.Join(home, "data"), Project: filepath.Join(home, "project"), Lock: lock}
		if err := d.Close(); err != nil {
			return err
		}
	}
	return nil
}
