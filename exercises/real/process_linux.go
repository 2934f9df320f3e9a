package real

import (
	"syscall"
	"unsafe"
)

// awaitStop waits until a child is stopped or has ended, and leaves its status
// to whoever waits for its end (waitid(2): WNOWAIT).
func awaitStop(pid int) {
	const byPID = 1
	var info [128]byte
	for {
		_, _, err := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid), uintptr(unsafe.Pointer(&info)),
			syscall.WSTOPPED|syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if err != syscall.EINTR {
			return
		}
	}
}
