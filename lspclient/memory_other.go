//go:build !linux

package lspclient

// sampleMemory knows nothing on this system.
func sampleMemory([]int) map[int]memory { return nil }

// machineMemory is not known on this system.
func machineMemory() int64 { return 0 }
