// Package crash remembers what a language server was asked or shown when it crashed, and finds the guilty input by asking the
// suspected ones alone. In go inputs as they are sent; out comes whether one is refused, or must be asked alone. It starts and
// sends nothing.
package crash
