//go:build !linux

package changes

import "errors"

var errSystem = errors.New("this system does not tell of changes")

// Queue is not there on this system.
type Queue struct{}

// Open fails on this system.
func Open(root string) (*Queue, error) { return nil, errSystem }

// Close does nothing.
func (q *Queue) Close() error { return nil }

// Read fails on this system.
func (q *Queue) Read(f func(Event)) error { return errSystem }

// Pass is not there on this system.
type Pass struct{}

// Pass begins a walk.
func (q *Queue) Pass() *Pass { return &Pass{} }

// Watch fails on this system.
func (p *Pass) Watch(dir string) error { return errSystem }

// Done reports false.
func (p *Pass) Done() bool { return false }
