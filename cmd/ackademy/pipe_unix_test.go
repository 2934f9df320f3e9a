//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNamedPipe: a pipe that nobody writes to is refused; opening it would
// wait for ever.
func TestNamedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.star")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, complaints, status := ackademy(t, "", "check", pipe)
		if status != exitInput || !strings.Contains(complaints, "[is-pipe]") {
			t.Errorf("status %d, %s", status, complaints)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("check waits for a pipe that nobody writes to")
	}
}
