package swebench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

const (
	maxLine  = 16 << 20 // bytes of an issue with its fix
	maxArray = 1 << 30  // bytes of a file that is one JSON array
)

// An Issue is a text that asks for a fix, and the fix.
type Issue struct {
	ID        string `json:"instance_id"`
	Repo      string `json:"repo"` // owner/name
	Base      string `json:"base_commit"`
	Statement string `json:"problem_statement"`
	Patch     string `json:"patch"` // a unified diff, as git prints it
}

var (
	safeID   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$`)
	safeRepo = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	commit   = regexp.MustCompile(`^[0-9a-f]{7,40}$`)
)

func (is *Issue) check() error {
	switch {
	case !safeID.MatchString(is.ID):
		return fmt.Errorf("instance_id %q: letters, digits, dots, dashes and underscores", is.ID)
	case !safeRepo.MatchString(is.Repo):
		return fmt.Errorf("%s: repo %q: owner/name", is.ID, is.Repo)
	case !commit.MatchString(is.Base):
		return fmt.Errorf("%s: base_commit %q: a commit in hex", is.ID, is.Base)
	case strings.TrimSpace(is.Statement) == "":
		return fmt.Errorf("%s: problem_statement is empty", is.ID)
	case is.Patch == "":
		return fmt.Errorf("%s: patch is empty", is.ID)
	}
	return nil
}

// ReadFile reads a file of JSON Lines or of one JSON array, compressed when its name ends in .gz.
func ReadFile(name string) (_ []*Issue, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		r = z
	}
	issues, err := Read(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return issues, nil
}

// Read reads issues in their order. An error names the line, or the element of the array.
func Read(r io.Reader) ([]*Issue, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	head, err := in.Peek(4)
	if len(head) == 0 {
		return nil, errors.Join(errors.New("no issues"), err)
	}
	if bytes.Equal(head, []byte("PAR1")) {
		return nil, errors.New("a Parquet file: export it as JSON Lines first, see the documentation of this package")
	}
	var out []*Issue
	seen := map[string]bool{}
	add := func(is *Issue, what string, n int) error {
		if err := is.check(); err != nil {
			return fmt.Errorf("%s %d: %w", what, n, err)
		}
		if seen[is.ID] {
			return fmt.Errorf("%s %d: %s stands there twice", what, n, is.ID)
		}
		seen[is.ID] = true
		out = append(out, is)
		return nil
	}
	if head[0] == '[' {
		dec := json.NewDecoder(io.LimitReader(in, maxArray))
		if _, err := dec.Token(); err != nil {
			return nil, err
		}
		for n := 1; dec.More(); n++ {
			is := &Issue{}
			if err := dec.Decode(is); err != nil {
				return nil, fmt.Errorf("element %d: %w", n, err)
			}
			if err := add(is, "element", n); err != nil {
				return nil, err
			}
		}
		if _, err := dec.Token(); err != nil {
			return nil, fmt.Errorf("behind element %d: %w", len(out), err)
		}
		return out, nil
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		is := &Issue{}
		if err := json.Unmarshal(lines.Bytes(), is); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if err := add(is, "line", n); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("behind %d issues: %w (a line has at most %d MB)", len(out), err, maxLine>>20)
	}
	return out, nil
}
