package repository

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/rootfs"
)

// A recorded repository is the file repo.json beside an index.
type recorded struct {
	Name string `json:"name,omitempty"`
	Root string `json:"root"`
}

const (
	recordFile = "repo.json"
	maxRecord  = 64 << 10 // bytes
	maxName    = 100      // letters
)

func checkName(name string) error {
	if SafeName(name) != name {
		return fmt.Errorf("name %.100q: letters, digits, '.', '_' and '-' are allowed", name)
	}
	if len(name) > maxName {
		return fmt.Errorf("name %.100q: at most %d letters are allowed", name, maxName)
	}
	return nil
}

// record writes a repository down.
func (s *Store) record(r *Repository) error {
	rec, err := json.Marshal(recorded{r.Name, r.Root})
	if err != nil {
		return err
	}
	return s.folder.WriteFile(s.recordName(r), append(rec, '\n'))
}

// records reads what repositories are recorded, by folder. bad gets those that cannot be used, with the reason.
func (s *Store) records(bad func(file string, err error)) (map[string]recorded, error) {
	list, err := s.folder.ReadDir(s.codes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	out := map[string]recorded{}
	for _, d := range list {
		file := path.Join(s.codes, d.Name(), recordFile)
		if !d.IsDir() {
			continue
		}
		data, err := s.folder.ReadFile(file, maxRecord)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var rec recorded
		if err == nil {
			err = json.Unmarshal(data, &rec)
		}
		if err == nil {
			err = checkName(rec.Name)
		}
		if err == nil && (!filepath.IsAbs(rec.Root) || filepath.Clean(rec.Root) != rec.Root || strings.ContainsRune(rec.Root, 0)) {
			err = fmt.Errorf("root %.100q is not a clean absolute path", rec.Root)
		}
		if err != nil {
			bad(file, err)
			continue
		}
		out[d.Name()] = rec
	}
	return out, nil
}

func sortedKeys(m map[string]recorded) []string { return slices.Sorted(maps.Keys(m)) }

// sweep removes the indexes of repositories that lay in the system's folder of temporary files and are gone: scripts that ask about one
// checkout after another would fill the disk with them.
func (s *Store) sweep() {
	temp, err := rootfs.Real(os.TempDir())
	if err != nil {
		return
	}
	records, err := s.records(func(string, error) {})
	if err != nil {
		return // listing the repositories reports it
	}
	for _, name := range sortedKeys(records) {
		root := records[name].Root
		if !strings.HasPrefix(root, temp+string(filepath.Separator)) {
			continue
		}
		if _, err := os.Stat(root); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		dir, err := s.opt.Room(path.Join(s.codes, name))
		if err != nil {
			continue // opening it reports the error
		}
		lock, err := disk.AcquireLock(dir, 0)
		if err != nil {
			continue // somebody has it open
		}
		err = errors.Join(lock.Unlock(), s.folder.Root().RemoveAll(path.Join(s.codes, name)))
		s.opt.Graph.Logger.Info("findspot: index of a temporary repository that is gone removed", "path", root, "err", err)
	}
}
