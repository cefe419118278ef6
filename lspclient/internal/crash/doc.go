// Package crash remembers what a language server was asked or shown when it crashed, so that the guilty input can be found by asking the suspects one
// at a time. It takes inputs as they are sent and decides whether one is refused, or must be asked alone. It starts no server and sends nothing;
// package session does.
package crash
