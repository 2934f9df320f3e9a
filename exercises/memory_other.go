//go:build !linux

package exercises

import "os"

// limitMemory does nothing: other systems have no call that limits a process
// from outside. Time, calls and output stay bounded.
func limitMemory(int, uint64) {}

func largestMemory(*os.ProcessState) uint64 { return 0 }

// limitsMemory tells whether limitMemory does anything.
const limitsMemory = false
