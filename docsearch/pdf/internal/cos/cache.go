package cos

import "sync"

// A cache keeps parsed objects, in two generations: when the younger is full it becomes the older, and what was in the
// older and was not asked for again is dropped. Its zero value is empty.
type cache struct {
	mu         sync.RWMutex // guards what follows
	young, old map[int]cached
	cost       int // of young
}

type cached struct {
	o    Object
	cost int
}

func (c *cache) get(num int) (Object, bool) {
	c.mu.RLock()
	v, ok := c.young[num]
	if ok {
		c.mu.RUnlock()
		return v.o, true
	}
	v, ok = c.old[num]
	c.mu.RUnlock()
	if !ok {
		return nil, false
	}
	return c.put(num, v.o, v.cost), true
}

// put keeps an object and returns it, or the one that another goroutine has put there before.
func (c *cache) put(num int, o Object, cost int) Object {
	cost = max(cost, 64)
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.young[num]; ok {
		return v.o
	}
	if v, ok := c.old[num]; ok {
		o, cost = v.o, v.cost
	}
	if c.cost+cost > cacheBytes {
		c.old, c.young, c.cost = c.young, nil, 0
	}
	if c.young == nil {
		c.young = map[int]cached{}
	}
	c.young[num] = cached{o, cost}
	c.cost += cost
	return o
}

func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.young, c.old, c.cost = nil, nil, 0
}

// A streamCache keeps decoded object streams, the last used ones, by where they begin in the file.
type streamCache struct {
	mu   sync.Mutex // guards what follows
	list []*objectStream
	size int
}

func (c *streamCache) get(at int64) *objectStream {
	return c.find(func(s *objectStream) bool { return s.at == at })
}

// object returns the stream whose object begins at an offset, if it was named with it.
func (c *streamCache) object(off int64) *objectStream {
	return c.find(func(s *objectStream) bool { return s.obj == off && off != 0 })
}

// name notes where the object of a stream begins, so that it is found without being read again.
func (c *streamCache) name(s *objectStream, off int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.obj = off
}

func (c *streamCache) find(is func(*objectStream) bool) *objectStream {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, s := range c.list {
		if is(s) {
			copy(c.list[1:i+1], c.list[:i])
			c.list[0] = s
			return s
		}
	}
	return nil
}

func (c *streamCache) put(s *objectStream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, nil)
	copy(c.list[1:], c.list)
	c.list[0] = s
	c.size += s.bytes()
	for len(c.list) > 1 && (c.size > cacheStreams || len(c.list) > 64) {
		last := len(c.list) - 1
		c.size -= c.list[last].bytes()
		c.list[last] = nil
		c.list = c.list[:last]
	}
}

func (c *streamCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list, c.size = nil, 0
}
