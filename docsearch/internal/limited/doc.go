// Package limited is a driver.Store of some documents of another one: those that came from below some folders, and those that were added through it. Whatever is asked of
// it, it tells of no others. Of a document it reads where it came from, and nothing else.
package limited
