//go:build !unix

package main

import "time"

// processor is how much time of processors the process has used: this system does not say.
func processor() time.Duration { return 0 }
