package child

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// slack is what a Go program maps beyond what it uses: its heap grows by 64
// MiB at a time.
const slack = 192 << 20

// limitProcess asks the kernel for bounds that hold even between two looks of
// the watcher, and for ones that a text has no use for at all: writing files,
// dumping core. RLIMIT_DATA counts writable memory of one's own; what is
// mapped already is added, because a build for the race detector maps much.
func limitProcess(memory int64) {
	data := uint64(mapped() + memory + slack)
	set := func(resource int, value uint64) {
		limit := unix.Rlimit{Cur: value, Max: value}
		_ = unix.Setrlimit(resource, &limit) // a lower one of the parent's stays
	}
	set(unix.RLIMIT_DATA, data)
	set(unix.RLIMIT_CORE, 0)
	set(unix.RLIMIT_FSIZE, 0)
}

// mapped is the writable memory that the process has mapped.
func mapped() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 6 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[5]), 10, 64)
	return pages * int64(os.Getpagesize())
}
