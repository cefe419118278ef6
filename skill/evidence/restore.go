package evidence

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
)

var wholeKey = lazyregexp.New(`^([DC])([1-9]\d{0,8})$`)

// Restore adds an item under the key that it has, as a record or an answer file gives it back. It fails with an error
// wrapping the house's format error when the key is none, belongs to another item, or the item has another one, and when
// the hash is not that of the text.
func (l *Ledger) Restore(it Item) error {
	m := wholeKey.FindStringSubmatch(it.Key)
	if m == nil || (m[1] == "D") != it.IsDocument() {
		return fmt.Errorf("key %q: is none for a %s: %w", it.Key, cmpKind(it), errs.Format)
	}
	if it.Hash != Hash(it.Text) {
		return fmt.Errorf("key %s: the text does not match its hash: %w", it.Key, errs.Format)
	}
	number, err := strconv.Atoi(m[2])
	if err != nil {
		return fmt.Errorf("key %s: %w", it.Key, err)
	}
	id := it.At.identity() + it.Hash
	l.mu.Lock()
	defer l.mu.Unlock()
	had, known := l.byID[id]
	if known && l.at(had).Key == it.Key {
		return nil
	}
	if _, taken := l.byKey[it.Key]; taken || known {
		return fmt.Errorf("key %s: one key for two items, or two keys for one: %w", it.Key, errs.Format)
	}
	if m[1] == "D" {
		l.docs = max(l.docs, number)
	} else {
		l.code = max(l.code, number)
	}
	it.Matches = slices.Clone(it.Matches)
	l.keep(id, it)
	return nil
}

func cmpKind(it Item) string {
	if it.Kind == "" {
		return "piece of evidence"
	}
	return it.Kind
}
