// Package integrity looks for damage in what a driver.Store holds of a library: entries, layouts and texts that cannot be decoded or do not fit each other, and what the engine's own
// check finds. A store goes in, a [Report] of [Problem]s with the way out of each comes out. It changes nothing.
package integrity
