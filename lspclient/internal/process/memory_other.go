//go:build !linux

package process

// SampleMemory knows nothing on this system.
func SampleMemory([]int) map[int]Memory { return nil }

// MachineMemory is not known on this system.
func MachineMemory() int64 { return 0 }
