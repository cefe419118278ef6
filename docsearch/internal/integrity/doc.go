// Package integrity looks for damage in what a driver.Store holds of a library: entries, layouts and texts that cannot
// be decoded or contradict each other, and whatever the engine's own check finds. It takes a store and returns a
// [Report] of [Problem]s, each with its remedy. It changes nothing.
package integrity
