package web

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/web/browsertest"
)

func findNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		browsertest.Missing(t, "node", "install Node.js 20 or later to test the page's modules without a browser")
	}
	return node
}

// The modules that need no browser have tests of their own.
func TestPageModules(t *testing.T) {
	command := exec.Command(findNode(t), "--test", "--test-reporter=tap", "testdata/page.test.mjs")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The diagram is a pure function of the snapshot, so its pictures are golden
// files: open them in a browser, beside page/style/diagram.css, to see what
// changed. all-kinds.json holds every arrow, mark and band that there is.
func TestDrawGolden(t *testing.T) {
	node := findNode(t)
	crash := toyRun(t, 6, "publisher publish work-1", "publisher accept work-1", "deliver work-1 to worker1", "worker1 ack", "worker1 begin", "worker1 add", "worker1 crash before commit")
	lost := toyRun(t, 2, "publisher publish work-1 lost-request", "publisher accept work-1")
	every, err := os.ReadFile("testdata/draw/all-kinds.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		snapshot []byte
		width    int
	}{
		{"start", toyRun(t, 0), 560},
		{"crash-wide", crash, 560},
		{"crash-narrow", crash, 360},
		{"lost-request", lost, 560},
		{"all-kinds", every, 700},
		{"all-kinds-narrow", every, 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			command := exec.Command(node, "testdata/draw.mjs", strconv.Itoa(test.width))
			command.Stdin = bytes.NewReader(test.snapshot)
			var complaint strings.Builder
			command.Stderr = &complaint
			out, err := command.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, complaint.String())
			}
			golden(t, "testdata/draw/"+test.name+".svg", string(out))
		})
	}
}

func toyRun(t *testing.T, position int, steps ...string) []byte {
	t.Helper()
	session := &toySession{book: &toyBook{}, name: "01-toy/toy.star"}
	for _, step := range steps {
		if err := session.take(step); err != nil {
			t.Fatal(err)
		}
	}
	session.position = position
	data, err := json.Marshal(session.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	return data
}
