package elasticstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// state is the one document that says what counts. To write it is to commit: everything else is written before, and seen by
// nobody until a state admits it.
//
// A batch is what one change writes; its number is Next when it registers. A reader that read the state sees the records whose batch is
// below Next, not Pending, not Dropped, and whose owner is not Dead.
type state struct {
	Version    int                  `json:"version"`
	Generation uint64               `json:"generation"`
	Next       int64                `json:"next"` // batch number
	Documents  int                  `json:"documents"`
	Kinds      map[driver.Kind]sums `json:"kinds"`
	Pending    []pending            `json:"pending"`
	Dropped    []dropped            `json:"dropped"`
	Dead       []dead               `json:"dead"`
	Recent     []int64              `json:"recent"` // batches committed last, for a writer that lost the answer
	// Swept is the generation at which the dead that may have been removed were dead already: who read an older state may
	// miss records.
	Swept uint64 `json:"swept"`
}

// pending is a batch that is being written.
type pending struct {
	Batch int64 `json:"batch"`
	Until int64 `json:"until"` // Unix milliseconds of the writer's clock
}

// dropped is a batch whose writer was taken for dead. It is kept for a while: a request of its may still be under way.
type dropped struct {
	Batch int64 `json:"batch"`
	At    int64 `json:"at"` // Unix milliseconds
}

// dead are the records of an owner that was replaced or removed.
type dead struct {
	Owner string `json:"owner"`
	At    uint64 `json:"at"` // generation from which they do not count
}

// sums are the statistics of the records of a kind: of one document, or of all.
type sums struct {
	Records int `json:"records"`
	Words   int `json:"words"`
	Idents  int `json:"idents"`
	Heads   int `json:"heads"`
}

const (
	stateID    = "state"
	maxRecent  = 64
	maxPending = 1000
	maxTurns   = 200            // attempts at writing the state before we say that others keep us from it
	dropTime   = 24 * time.Hour // that a dropped batch is remembered
)

func (st *state) clone() *state {
	c := *st
	c.Kinds = maps.Clone(st.Kinds)
	if c.Kinds == nil {
		c.Kinds = map[driver.Kind]sums{}
	}
	c.Pending, c.Dropped, c.Dead, c.Recent = slices.Clone(st.Pending), slices.Clone(st.Dropped), slices.Clone(st.Dead), slices.Clone(st.Recent)
	return &c
}

// count adds the sums of a document, or takes them away.
func (st *state) count(doc map[driver.Kind]sums, sign int) {
	st.Documents += sign
	for k, v := range doc {
		t := st.Kinds[k]
		t.Records += sign * v.Records
		t.Words += sign * v.Words
		t.Idents += sign * v.Idents
		t.Heads += sign * v.Heads
		st.Kinds[k] = t
	}
}

// live is the filter for what counts, in addition to other filters.
func (st *state) live(filters ...any) object {
	var not []any
	batches := []int64{}
	for _, p := range st.Pending {
		batches = append(batches, p.Batch)
	}
	for _, d := range st.Dropped {
		batches = append(batches, d.Batch)
	}
	if len(batches) > 0 {
		not = append(not, object{"terms": object{"batch": batches}})
	}
	if len(st.Dead) > 0 {
		owners := make([]string, len(st.Dead))
		for i, d := range st.Dead {
			owners[i] = d.Owner
		}
		not = append(not, object{"terms": object{"owner": owners}})
	}
	b := object{"filter": append([]any{object{"range": object{"batch": object{"lt": st.Next}}}}, filters...)}
	if not != nil {
		b["must_not"] = not
	}
	return object{"bool": b}
}

// version says which write of the state was read.
type version struct {
	seq, term int64
}

func (v version) values() url.Values {
	return url.Values{"if_seq_no": {strconv.FormatInt(v.seq, 10)}, "if_primary_term": {strconv.FormatInt(v.term, 10)}}
}

// states reads and writes the state of a library.
type states struct{ cluster *cluster }

func (s *states) path() string {
	return "/" + s.cluster.alias(driver.KindDocument) + "/_doc/" + stateID
}

// read returns the state as it was acknowledged last, whether or not it was refreshed.
func (s *states) read(ctx context.Context) (*state, version, error) {
	var doc struct {
		Seq    *int64 `json:"_seq_no"`
		Term   *int64 `json:"_primary_term"`
		Source *struct {
			State *state `json:"state"`
		} `json:"_source"`
	}
	err := s.cluster.c.do(ctx, http.MethodGet, s.path(), url.Values{"realtime": {"true"}}, nil, &doc)
	if err != nil {
		if status(err) == http.StatusNotFound {
			return nil, version{}, fmt.Errorf("%w: the state of the library is not there (%v)", errs.NotFound, err)
		}
		return nil, version{}, err
	}
	if doc.Seq == nil || doc.Term == nil || doc.Source == nil || doc.Source.State == nil {
		return nil, version{}, fmt.Errorf("%w: the state of the library cannot be read: restore the index %s from a snapshot", errs.Format, s.cluster.alias(driver.KindDocument))
	}
	st := doc.Source.State.clone()
	if st.Version != mappingVersion {
		return nil, version{}, fmt.Errorf("%w: the state of the library has version %d, this program knows %d", errs.Format, st.Version, mappingVersion)
	}
	return st, version{*doc.Seq, *doc.Term}, nil
}

// prepare writes the first state of a new library.
func (s *states) prepare(ctx context.Context) error {
	_, _, err := s.read(ctx)
	if err == nil || !errors.Is(err, errs.NotFound) || s.cluster.opt.ReadOnly {
		return err
	}
	// A library that lost its state is no new one: all that it holds would count again, what was replaced with the rest.
	var n struct {
		Count int `json:"count"`
	}
	if err := s.cluster.refresh(ctx); err != nil {
		return err
	}
	if err := s.cluster.c.do(ctx, http.MethodGet, "/"+s.cluster.everything()+"/_count", nil, nil, &n); err != nil {
		return err
	}
	if n.Count > 0 {
		return fmt.Errorf("%w: the indices hold %d records, but the state of the library is lost: restore them from a snapshot, or use another prefix", errs.Format, n.Count)
	}
	first := &state{Version: mappingVersion, Next: 1, Kinds: map[driver.Kind]sums{}}
	err = s.cluster.c.do(ctx, http.MethodPut, s.path(), url.Values{"op_type": {"create"}}, stateDoc(first), nil)
	if status(err) == http.StatusConflict {
		return nil // another process was first
	}
	return err
}

func stateDoc(st *state) object { return object{"type": "state", "state": st} }

// update changes the state: change gets a copy of what was read, in as many turns as it takes until no other writer was faster. It may
// return errDone, which ends the update without writing.
func (s *states) update(ctx context.Context, change func(st *state) error) (*state, error) {
	for turn := 1; ; turn++ {
		st, v, err := s.read(ctx)
		if err != nil {
			return nil, err
		}
		if err := change(st); errors.Is(err, errDone) {
			return st, nil
		} else if err != nil {
			return nil, err
		}
		err = s.cluster.c.do(ctx, http.MethodPut, s.path(), v.values(), stateDoc(st), nil)
		if err == nil {
			return st, nil
		}
		if status(err) != http.StatusConflict {
			return nil, err
		}
		if turn == maxTurns {
			return nil, fmt.Errorf("%w: other writers changed the library each of %d times that this change was tried: try again later", errs.Stale, turn)
		}
		if err := sleep(ctx, pause(min(turn, 6), 5*time.Millisecond)); err != nil {
			return nil, err
		}
	}
}

var errDone = errors.New("the change is there already")

// maxReads bounds the attempts of a reader beside fast writers.
const maxReads = 20

// view runs look with a state, again with a newer one when what that state admits may have been removed meanwhile.
func (s *states) view(ctx context.Context, look func(st *state) error) error {
	for turn := 1; ; turn++ {
		st, _, err := s.read(ctx)
		if err != nil {
			return err
		}
		err = look(st)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		after, _, err2 := s.read(ctx)
		if err2 != nil {
			return errors.Join(err, err2)
		}
		if after.Swept <= st.Generation {
			return err
		}
		if turn == maxReads {
			return fmt.Errorf("%w: the library was changed each of %d times that it was read: try again later", errs.Stale, turn)
		}
	}
}
