// Package cpu says how much time of processors a program has used, which other programs on the machine change less than the time by the clock.
package cpu
