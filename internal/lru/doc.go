// Package lru keeps the values that were used last, up to a number of bytes.
package lru
