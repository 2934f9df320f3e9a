//go:build !linux && !darwin

package real

import (
	"errors"
	"net"
	"os/exec"
)

const supported = false

var errUnsupported = errors.New("real runs need SIGKILL and SIGSTOP")

func ownGroup(*exec.Cmd)        {}
func stop(*exec.Cmd) error      { return errUnsupported }
func wake(*exec.Cmd) error      { return errUnsupported }
func cutOff(*net.UnixConn) bool { return true }
