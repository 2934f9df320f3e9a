//go:build linux || darwin

package child

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts the child into a process group of its own: a Ctrl-C at the
// terminal is for the parent, which then ends its children in order.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// cpuIsOver tells whether the kernel ended the child for its use of the
// processor.
func cpuIsOver(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGXCPU
}
