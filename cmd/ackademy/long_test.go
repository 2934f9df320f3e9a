package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// A schedule that no command line takes is replayed from a file, and fits.
func TestLongScheduleIsReplayedFromAFile(t *testing.T) {
	const path = "testdata/poison.star"
	text, _, status := ackademy(t, "", "check", path, "--show", "lost")
	if status != exitBad || !strings.Contains(text, `| .schedule' > run.txt; ackademy run `+path+` --schedule @run.txt`) {
		t.Errorf("status %d, and the end of the text is %q", status, text[max(0, len(text)-300):])
	}
	out, _, _ := ackademy(t, "", "check", path, "--json")
	var answer checkJSON
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	for _, p := range answer.Properties {
		if p.Name != "lost" {
			continue
		}
		if len(p.Schedule) < longestLine {
			t.Errorf("the schedule has only %d bytes", len(p.Schedule))
		}
		if _, complaints, status := ackademy(t, p.Schedule, "run", path, "--schedule", "-", "--stop"); status != exitBad || complaints != "" {
			t.Errorf("run: status %d, %s", status, complaints)
		}
	}
}
