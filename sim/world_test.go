package sim_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// The scripts in testdata are the rules of the world as stories. Commands:
//
//	scenario     the text of a scenario; starts a run
//	run          steps to take from where the run stands; "times=2": twice
//	steps        what can happen now; with "faults" misfortunes too; with
//	             "besides" without the requests that may come at any time
//	back         takes back all steps
//	look         the parties as they are now; with "offsets" the groups of logs too
//	told         who is told what in each step since the last time
//	answers      what each call since the last time was told
//	verdicts     what the observer says, looking ahead
//	check        what a search of all schedules says
//	cell         begins the case of a row of a profile's table, see TestEveryCellHasACase
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := &story{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			out, err := s.command(d)
			if err != nil {
				return out + "error: " + err.Error() + "\n"
			}
			return out
		})
	})
}

type story struct {
	scenario *script.Scenario
	run      *schedule.Run
	told     int // steps whose answers have been printed
}

func (s *story) command(d *datadriven.TestData) (string, error) {
	if d.Cmd == "scenario" {
		sc, err := script.Load("story.star", []byte(d.Input+"\n"))
		if err != nil {
			return "", err
		}
		s.scenario, s.run, s.told = sc, schedule.New(sim.New(sc.Scenario)), 0
		return "", nil
	}
	if s.run == nil {
		return "", errors.New("no scenario yet")
	}
	switch d.Cmd {
	case "run":
		return s.repeat(d)
	case "steps":
		out, err := s.enabled(d.HasArg("faults"))
		if d.HasArg("besides") {
			out = besidesRequests(out)
		}
		return out, err
	case "back":
		s.run.Back(0)
		s.told = 0
		return "", nil
	case "look":
		text := look(s.run.World, s.run.State())
		if d.HasArg("offsets") {
			text += offsets(s.run.World.Look(s.run.State()))
		}
		return text, nil
	case "told":
		return s.tellings(), nil
	case "answers":
		return s.answers(), nil
	case "verdicts":
		return s.verdicts()
	case "check":
		return s.check()
	case "cell":
		return "", nil
	}
	return "", fmt.Errorf("no command %s", d.Cmd)
}

// repeat takes the steps once, or so often as "times=20" says.
func (s *story) repeat(d *datadriven.TestData) (string, error) {
	times := 1
	for _, arg := range d.CmdArgs {
		if _, err := fmt.Sscanf(arg.String(), "times=%d", &times); err != nil {
			return "", err
		}
	}
	for range times {
		if out, err := s.steps(d.Input); err != nil {
			return out, err
		}
	}
	return "", nil
}

func (s *story) steps(text string) (string, error) {
	steps, err := schedule.Parse(text)
	if err != nil {
		return "", err
	}
	for _, step := range steps {
		if err := s.run.Step(step); err != nil {
			return "", err
		}
	}
	return "", nil
}

// answers lists the steps since the last time with what their calls were told.
func (s *story) answers() string {
	var b strings.Builder
	for ; s.told < s.run.Len(); s.told++ {
		fmt.Fprintf(&b, "%s", s.run.Outcome(s.told).Name)
		for _, e := range s.run.Events(s.told) {
			if e.Kind == sim.EventCall && e.Answer.Code != sim.OK {
				fmt.Fprintf(&b, ": %s", e.Answer.Code)
			} else if e.Kind == sim.EventCall && e.Answer.Value != sim.None {
				fmt.Fprintf(&b, ": %s", s.scenario.Values.Text(e.Answer.Value))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (s *story) enabled(faults bool) (string, error) {
	steps, err := s.run.Enabled()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, o := range steps {
		if o.Fault == sim.NoFault {
			fmt.Fprintf(&b, "%s\n", o.Name)
		} else if faults {
			fmt.Fprintf(&b, "%s  [%s]\n", o.Name, o.Fault)
		}
	}
	if b.Len() == 0 {
		return "nothing\n", nil
	}
	return b.String(), nil
}

func (s *story) verdicts() (string, error) {
	st, err := explore.Judge(s.run.World, s.run.State(), 10_000)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, in := range s.scenario.Intents {
		var words []string
		for p, set := range st.Verdicts.Of {
			if set&(1<<i) != 0 {
				words = append(words, sim.Property(p).String())
			}
		}
		if len(words) == 0 {
			words = []string{"nothing wrong"}
		}
		fmt.Fprintf(&b, "%s: %s\n", in.Name, strings.Join(words, ", "))
	}
	return b.String(), nil
}

func (s *story) check() (string, error) {
	r, err := explore.Run(context.Background(), sim.New(s.scenario.Scenario), explore.Options{})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d states\n", r.States)
	if r.Capped {
		fmt.Fprintf(&b, "effects counted up to %d\n", s.scenario.EffectCap)
	}
	if r.Spin != nil {
		fmt.Fprintf(&b, "spins in zero time after %d steps: %s\n", len(r.Spin.Schedule), strings.Join(r.Spin.Cycle, "; "))
	}
	for _, f := range r.Findings {
		if f.Status == explore.Holds {
			continue
		}
		fmt.Fprintf(&b, "%s: %s", f.Property, f.Status)
		if f.Property != sim.DoneOnce && f.Status == explore.Violated {
			fmt.Fprintf(&b, ", faults needed: %d", f.Needs)
			for _, step := range f.Schedule {
				fmt.Fprintf(&b, "\n  %s", step)
			}
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// look prints a view the way a reader of a script wants it: short, in words.
func look(w *sim.World, s sim.State) string {
	v, vals := w.Look(s), w.Scenario().Values
	var b strings.Builder
	for _, p := range v.Processes {
		fmt.Fprintf(&b, "%s: %s", p.Name, p.Doing)
		if p.Next != "" {
			fmt.Fprintf(&b, " before %s", p.Next)
		}
		if len(p.Buffer) > 0 {
			fmt.Fprintf(&b, ", buffered %s", strings.Join(p.Buffer, ","))
		}
		for _, m := range p.Memory {
			fmt.Fprintf(&b, ", %s = %s", m.Name, vals.Text(m.Value))
		}
		if p.Timer > 0 {
			fmt.Fprintf(&b, ", %d s left", p.Timer)
		}
		if p.Stopping {
			b.WriteString(", told to stop")
		}
		b.WriteByte('\n')
	}
	for _, q := range v.Queues {
		for _, m := range q.Messages {
			holder := "ready"
			if m.Holder != "" {
				holder = "delivered to " + m.Holder
			}
			if m.Later {
				holder = fmt.Sprintf("due in %d s", m.Due)
			}
			if q.Log == "" && m.State != "" {
				holder = m.State
			}
			if m.Lease > 0 {
				holder += fmt.Sprintf(", lease %d s", m.Lease)
			}
			fmt.Fprintf(&b, "%s: %s %s\n", q.Name, m.Name, holder)
		}
	}
	for _, d := range v.Databases {
		for _, t := range d.Tables {
			for _, r := range t.Rows {
				fmt.Fprintf(&b, "%s.%s: %s%s\n", d.Name, t.Name, vals.Text(r.Body), ageOf(r))
			}
		}
		for _, tx := range d.Transactions {
			if tx.Broken {
				fmt.Fprintf(&b, "%s: %s holds the handle of a lost connection\n", d.Name, tx.Process)
				continue
			}
			fmt.Fprintf(&b, "%s: %s has a transaction open, %d changes\n", d.Name, tx.Process, len(tx.Pending))
		}
	}
	for _, p := range v.Providers {
		for _, m := range p.Mails {
			fmt.Fprintf(&b, "%s: email to %s %s\n", p.Name, vals.Plain(m.To), vals.Text(m.Body))
		}
		for _, k := range p.Keys {
			fmt.Fprintf(&b, "%s: remembers %s for %d s", p.Name, vals.Plain(k.Key), k.Left)
			if k.Refused {
				b.WriteString(", refused")
			}
			if k.Running {
				fmt.Fprintf(&b, ", works on it for %d s", k.Ends)
			}
			b.WriteByte('\n')
		}
		for _, r := range p.Refs {
			if r.Listed {
				fmt.Fprintf(&b, "%s: finds %s\n", p.Name, vals.Plain(r.Ref))
			} else {
				fmt.Fprintf(&b, "%s: will find %s in %d s\n", p.Name, vals.Plain(r.Ref), r.Left)
			}
		}
	}
	for _, o := range v.Outages {
		fmt.Fprintf(&b, "%s: out for %d s\n", o.Party, o.Left)
	}
	for _, name := range v.Late {
		fmt.Fprintf(&b, "possible later: %s\n", name)
	}
	return b.String()
}

func ageOf(r sim.RowView) string {
	if r.Age == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d s old)", r.Age)
}
