package exercises

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// limitMemory bounds the data of a started process (heap and private mappings).
// RLIMIT_AS would count reserved addresses too, of which Go and Node take much
// and use little. The process may be gone already, which is no error.
func limitMemory(process int, bytes uint64) {
	limit := unix.Rlimit{Cur: bytes, Max: bytes}
	_ = unix.Prlimit(process, unix.RLIMIT_DATA, &limit, nil)
}

// largestMemory is the most memory in bytes that an ended process had.
func largestMemory(state *os.ProcessState) uint64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return uint64(usage.Maxrss) << 10
	}
	return 0
}

// limitsMemory tells whether limitMemory does anything.
const limitsMemory = true
