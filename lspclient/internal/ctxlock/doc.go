// Package ctxlock is a lock that nobody waits for longer than a context allows.
package ctxlock
