//go:build linux || darwin

package real

import (
	"errors"
	"net"
	"os/exec"
	"syscall"
)

// supported tells whether this system has what a real run needs.
const supported = true

// ownGroup keeps Ctrl-C in a terminal from reaching the child by itself: the
// referee alone says who dies when. It also makes sure that a stopped child
// does not outlive a referee that is killed: the kernel wakes the stopped
// members of an orphaned process group with SIGHUP.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// stop stops a child and returns when it stands still: the kernel wakes only
// those that do when their group is orphaned.
func stop(c *exec.Cmd) error {
	if err := c.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	awaitStop(c.Process.Pid)
	return nil
}

func wake(c *exec.Cmd) error { return c.Process.Signal(syscall.SIGCONT) }

// cutOff tells whether the other side has closed a connection on which nothing
// is due to be read. A deadline could not tell: it fires before the read.
func cutOff(conn *net.UnixConn) bool {
	raw, err := conn.SyscallConn()
	if err != nil {
		return true
	}
	alive := false
	err = raw.Read(func(fd uintptr) bool {
		_, failure := syscall.Read(int(fd), make([]byte, 1))
		alive = errors.Is(failure, syscall.EAGAIN)
		return true
	})
	return err != nil || !alive
}
