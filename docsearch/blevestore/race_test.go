//go:build race

package blevestore_test

const raceEnabled = true
