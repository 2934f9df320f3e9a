//go:build !linux && !darwin

package child

import (
	"os"
	"os/exec"
)

// ownGroup does nothing: this system has no process groups.
func ownGroup(*exec.Cmd) {}

func cpuIsOver(*os.ProcessState) bool { return false }
