//go:build !race

package need

const raceDetector = false
