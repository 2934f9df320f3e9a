//go:build linux || darwin

package real

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ackademy/ackademy/sim/script"
)

// outliveVariable makes this test's program a referee that never ends.
const outliveVariable = "ACKADEMY_REAL_TEST_OUTLIVE"

// stalled is a run of contend.star with everything that could outlive it: a
// process that stands with a transaction open, and one that is stopped.
var stalled = []string{"publisher publish work-1", "deliver work-1 to worker1", "worker1 insert log", "worker1 begin",
	"publisher accept", "publisher publish work-2", "publisher accept", "deliver work-2 to worker2", "worker2 stall before insert log"}

// outliveMain is what the program does then: it plays the run, prints the
// numbers of its children and waits to be killed.
func outliveMain() {
	if os.Getenv(outliveVariable) == "" {
		return
	}
	src, err := os.ReadFile("testdata/contend.star")
	if err != nil {
		panic(err)
	}
	sc, err := script.Load("contend.star", src)
	if err != nil {
		panic(err)
	}
	_, err = Run(context.Background(), Options{Scenario: sc, Steps: stalled, Stop: true, before: func(r *referee, n int) {
		if n == len(stalled) {
			_ = r.event(&r.run.Events(n - 1)[0]) // the stall itself
			fmt.Println(strings.Trim(fmt.Sprint(pids(r)), "[]"))
			select {}
		}
	}})
	panic(err)
}

func pids(r *referee) []int {
	var list []int
	for _, c := range r.children() {
		list = append(list, c.command.Process.Pid)
	}
	return list
}

// gone waits until none of the processes is there any more. They are nobody's
// children then, so somebody else has to reap them.
func gone(t *testing.T, pids []int) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for _, pid := range pids {
		for alive(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d of %v is still there", pid, pids)
			}
			time.Sleep(time.Millisecond) // nobody tells us of other people's children
		}
	}
}

// alive tells whether a process runs: one that is dead and waits to be reaped
// holds nothing any more.
func alive(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", fmt.Sprint(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

// The children of a referee that is killed must not stay, not even the one that
// is stopped and reads no pipe.
func TestNobodyOutlivesAKilledReferee(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	referee := exec.Command(executable)
	referee.Env = append(os.Environ(), outliveVariable+"=1", "TMPDIR="+t.TempDir())
	referee.Stderr = os.Stderr
	out, err := referee.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := referee.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var children [3]int
	if _, err := fmt.Sscan(line, &children[0], &children[1], &children[2]); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if err := referee.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = referee.Wait() // "signal: killed"
	gone(t, children[:])
}

// Neither do they stay when the person in front of the terminal gives up.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var children []int
	_, err := Run(ctx, Options{Scenario: load(t, "testdata/contend.star"), Steps: stalled, before: func(r *referee, n int) {
		if n == len(stalled) {
			children = pids(r)
			cancel()
		}
	}})
	if ExitCode(err) != ExitInterrupted {
		t.Errorf("got %v", err)
	}
	if len(children) != 3 {
		t.Errorf("children %v", children)
	}
	for _, pid := range children {
		if !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			t.Errorf("process %d was not reaped", pid)
		}
	}
}
