package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
)

const (
	stateVersion = 1
	maxAnswers   = 150
	maxState     = 16 << 20 // bytes of a file
	maxSessions  = 500      // states that are kept, the last used ones
	maxAge       = 30 * 24 * time.Hour
	lockWait     = 10 * time.Second
)

// state is what is known of a skill in one session.
type state struct {
	Version  int             `json:"version"`
	Digest   string          `json:"digest"` // of the skill; one of another digest is not believed
	Answers  []runner.Answer `json:"answers,omitempty"`
	Approved []string        `json:"approved,omitempty"`
	Released bool            `json:"released,omitempty"`
}

// add adds an answer; of too many the oldest go.
func (st *state) add(a runner.Answer) {
	st.Answers = append(st.Answers, a)
	st.Answers = st.Answers[max(len(st.Answers)-maxAnswers, 0):]
}

// A store keeps the states of sessions in a folder, each in a file whose name is a hash, since the ids of sessions are foreign.
type store struct {
	dir     string
	skill   *skill.Skill
	session string
}

func (s *store) name() string {
	sum := sha256.Sum256([]byte(s.skill.Name + "\n" + s.session))
	return hex.EncodeToString(sum[:]) + ".json"
}

// read returns the state of the session, which is empty when there is none.
func (s *store) read() (*state, error) {
	f, err := disk.OpenFolder(s.dir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return &state{}, nil
	}
	if err != nil {
		return nil, s.fail(err)
	}
	defer f.Close()
	return s.load(f)
}

func (s *store) load(f *disk.Folder) (*state, error) {
	data, err := f.ReadFile(s.name(), maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return &state{}, nil
	}
	if err != nil {
		return nil, s.fail(err)
	}
	st := &state{}
	if err := json.Unmarshal(data, st); err != nil {
		return nil, s.fail(err)
	}
	if st.Version != stateVersion {
		return nil, s.fail(fmt.Errorf("version %d, this program knows %d", st.Version, stateVersion))
	}
	if st.Digest != s.skill.Digest {
		return &state{}, nil // of a skill with other gates
	}
	return st, nil
}

func (s *store) fail(err error) error {
	return fmt.Errorf("the state of this session's gates cannot be read: %w: delete %s, which closes all gates", err, filepath.Join(s.dir, s.name()))
}

// update changes the state, under the lock of the folder.
func (s *store) update(change func(*state) error) error {
	if err := os.MkdirAll(filepath.Dir(s.dir), 0o700); err != nil {
		return err
	}
	f, _, err := disk.MakeFolder(s.dir, false)
	if err != nil {
		return err
	}
	defer f.Close()
	lock, err := f.Lock(lockWait)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	st, err := s.load(f)
	if err != nil {
		return err
	}
	if err := change(st); err != nil {
		return err
	}
	st.Version, st.Digest = stateVersion, s.skill.Digest
	data, err := json.Marshal(st)
	if err != nil {
		return err
	}
	if err := f.WriteFile(s.name(), data); err != nil {
		return err
	}
	return prune(f, s.name())
}

// prune removes the states of old sessions, and the oldest of too many.
func prune(f *disk.Folder, keep string) error {
	entries, err := f.ReadDir(".")
	if err != nil {
		return err
	}
	type used struct {
		name string
		at   time.Time
	}
	var states []used
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !strings.HasSuffix(e.Name(), ".json") || e.Name() == keep {
			continue // gone meanwhile
		}
		states = append(states, used{e.Name(), info.ModTime()})
	}
	old := time.Now().Add(-maxAge)
	over := len(states) + 1 - maxSessions
	for len(states) > 0 {
		oldest := 0
		for i, u := range states {
			if u.at.Before(states[oldest].at) {
				oldest = i
			}
		}
		if over <= 0 && states[oldest].at.After(old) {
			return nil
		}
		if err := f.Root().Remove(states[oldest].name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		states = append(states[:oldest], states[oldest+1:]...)
		over--
	}
	return nil
}
