//go:build linux || darwin

package exercises

import (
	"os/exec"
	"syscall"
)

// canKill tells whether this system has what real runs need: inherited pipes,
// process groups and SIGKILL.
const canKill = true

// ownGroup makes the command the leader of a new process group, so that
// whatever it starts dies with it. A child that leaves the group on purpose
// escapes; the program belongs to the person who runs it.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killGroup kills the process and its children. It is called before the leader
// is reaped or right after, while the number can't belong to anybody else.
func killGroup(leader int) {
	_ = syscall.Kill(-leader, syscall.SIGKILL) // ESRCH: everybody has left already
}
