// Package ctxlock is a lock that is waited for no longer than a context allows.
package ctxlock
