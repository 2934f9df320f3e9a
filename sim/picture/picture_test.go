package picture_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// TestStories draws runs of scenarios and compares every line. A file declares
// a scenario, then drives it:
//
//	scenario                 text of a scenario
//	draw [width=N] [ascii]   steps, one a line: the diagram
//	tell                     steps: a sentence for each
//	explain P I              steps: why property P holds for intent number I
//	tracks                   steps: what each handler was told
//	bands                    steps: what lasted
//
// Steps may end in "...", which means: on without a fault until nothing moves.
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var loaded *script.Scenario
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "scenario" {
				var err error
				if loaded, err = script.Load("test.star", []byte(d.Input)); err != nil {
					d.Fatalf(t, "%v", err)
				}
				return ""
			}
			run, err := drive(sim.New(loaded.Scenario), d.Input)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			return story(t, d, loaded, run)
		})
	})
}

// drive replays steps.
func drive(w *sim.World, text string) (*schedule.Run, error) {
	text, finish := strings.CutSuffix(strings.TrimSpace(text), "...")
	steps, err := schedule.Parse(text)
	if err != nil {
		return nil, err
	}
	run, err := schedule.Replay(w, steps)
	if err == nil && finish {
		_, err = run.Finish(200)
	}
	return run, err
}

func story(t *testing.T, d *datadriven.TestData, sc *script.Scenario, run *schedule.Run) string {
	picture := picture.Draw(run)
	switch d.Cmd {
	case "draw":
		return draw(t, d, picture)
	case "tell":
		var out strings.Builder
		for _, row := range picture.Rows {
			fmt.Fprintf(&out, "%2d %s\n", row.Step, row.Sentence)
		}
		return out.String()
	case "explain":
		return explain(t, d, run)
	case "tracks":
		return tracks(sc, picture)
	case "bands":
		var out strings.Builder
		for _, b := range picture.Bands {
			fmt.Fprintf(&out, "%s: %s %s, %d to %d %s\n", picture.Lanes[b.Lane].Name, b.Kind, b.Label, b.First, b.Last, b.End)
		}
		return out.String()
	}
	d.Fatalf(t, "no command %s", d.Cmd)
	return ""
}

func draw(t *testing.T, d *datadriven.TestData, p *picture.Diagram) string {
	o := picture.TextOptions{Legend: true, ASCII: d.HasArg("ascii")}
	d.MaybeScanArgs(t, "width", &o.Width)
	d.MaybeScanArgs(t, "rows", &o.MaxRows)
	if d.HasArg("note") {
		o.Notes = map[int]string{3: "from here on the fixed rule went on"}
	}
	return picture.Text(p, o)
}

func explain(t *testing.T, d *datadriven.TestData, run *schedule.Run) string {
	intent, err := strconv.Atoi(d.CmdArgs[1].Key)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	for _, p := range sim.Properties() {
		if p.String() == d.CmdArgs[0].Key {
			return picture.Explain(run, p, intent) + "\n"
		}
	}
	d.Fatalf(t, "no property %s", d.CmdArgs[0].Key)
	return ""
}

// tracks prints where each process stands after each step, found by the front
// end from what the track says the handler was told.
func tracks(sc *script.Scenario, p *picture.Diagram) string {
	var out strings.Builder
	for _, track := range p.Tracks {
		fmt.Fprintf(&out, "%s:", track.Process)
		for _, place := range track.Places {
			if !place.Running {
				out.WriteString(" -")
				continue
			}
			fmt.Fprintf(&out, " %d", sc.Site(place.Handler, place.Input, place.Answers).Line)
		}
		out.WriteString("\n")
	}
	return out.String()
}
