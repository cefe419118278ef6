package lru

import (
	"container/list"
	"sync"
)

// Cache keeps values up to a number of bytes; the least recently used go first. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	most int

	mu    sync.Mutex
	bytes int
	order list.List // of *cached[K, V], the last used first
	byKey map[K]*list.Element
}

type cached[K comparable, V any] struct {
	key   K
	value V
	size  int
}

// New returns a cache of so many bytes.
func New[K comparable, V any](most int) *Cache[K, V] {
	return &Cache[K, V]{most: most, byKey: map[K]*list.Element{}}
}

func (l *Cache[K, V]) Get(key K) (v V, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.byKey[key]
	if e == nil {
		return v, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*cached[K, V]).value, true
}

// Put keeps a value of so many bytes. One that takes more than a quarter of all is not kept.
func (l *Cache[K, V]) Put(key K, value V, size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.byKey[key]; e != nil {
		l.drop(e)
	}
	if size > l.most/4 {
		return
	}
	l.byKey[key] = l.order.PushFront(&cached[K, V]{key, value, size})
	for l.bytes += size; l.bytes > l.most; {
		l.drop(l.order.Back())
	}
}

func (l *Cache[K, V]) drop(e *list.Element) {
	c := e.Value.(*cached[K, V])
	l.order.Remove(e)
	delete(l.byKey, c.key)
	l.bytes -= c.size
}
