//go:build !race

package blevestore_test

const raceEnabled = false
