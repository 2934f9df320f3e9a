package main

import (
	"errors"

	"github.com/ackademy/ackademy/exercises/real"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
)

const realHelp = `
With --real the same schedule is also run for real: one operating-system
process per simulated process, real SQLite files, a mail server of our own that
listens on this machine only. A referee lets each process make one call at a
time and kills it (SIGKILL) where the schedule says crash; broker and clock are
played by the referee. Afterwards the files are opened again and their rows are
laid beside the simulator's. A difference is status 4: it is our bug. --keep DIR
keeps the files. With --json, standard output has one object: scenario, file,
schedule, started, kills, tables (place, real, predicted), requests (of the mail
server), differences (empty where the worlds agree).

  ackademy run lessons/03-commit-first/commit-first.star --seed 7 --real
`

// real runs the schedule in the third world and lays it beside the simulator.
func (r *running) real(t *terminal, path string) int {
	o, report, p := r.driveReal(t, path)
	if p != nil {
		if r.json {
			t.printJSON(struct {
				File  string       `json:"file"`
				Error *problemJSON `json:"error"`
			}{path, p.json()})
		}
		return t.problem(p)
	}
	if r.json {
		t.printJSON(report)
	} else {
		o.write(t, &r.budget)
		t.print("\n" + report.Text())
	}
	return worse(report.Exit(), o.exit())
}

func (r *running) driveReal(t *terminal, path string) (*observed, *real.Report, *problem) {
	steps, p := r.realSteps(t, path)
	if p != nil {
		return nil, nil, p
	}
	sc, p := t.load(path, &r.budget)
	if p != nil {
		return nil, nil, p
	}
	report, err := real.Run(t.ctx, real.Options{Scenario: sc, Steps: steps, Stop: r.stop, Keep: r.keep})
	if err != nil {
		return nil, nil, realProblem(err)
	}
	o := &observed{path: path, sc: sc, run: report.Run, given: report.Given, atRest: report.AtRest, rule: "the first possible step that is no fault"}
	if r.stop {
		o.rule = ""
	}
	w := report.Run.World
	if o.standing, err = explore.Judge(w, o.run.State(), judgeStates); err != nil {
		return nil, nil, problemOf(err, sc)
	}
	o.doneOnce = w.DoneAll(o.run.State())
	return o, report, nil
}

// realSteps is the schedule that both worlds follow: the one that was given
// and, with a seed, what chance adds to it. It uses a load of its own, because
// the real run wants a fresh one.
func (r *running) realSteps(t *terminal, path string) ([]string, *problem) {
	var steps []string
	var p *problem
	if r.given {
		if steps, p = t.readSchedule(r.schedule); p != nil {
			return nil, p
		}
	}
	if !r.seeded {
		return steps, nil
	}
	sc, p := t.load(path, &r.budget)
	if p != nil {
		return nil, p
	}
	run, err := schedule.Replay(sim.New(sc.Scenario), steps)
	if err == nil {
		_, err = run.Random(r.seed, r.maxSteps)
	}
	if err != nil {
		return nil, problemOf(err, sc)
	}
	return run.Steps(), nil
}

// realProblem words what keeps a real run from an answer.
func realProblem(err error) *problem {
	var known *real.Error
	var misfits *schedule.MisfitError
	switch {
	case errors.As(err, &misfits):
		return misfit(misfits)
	case errors.As(err, &known):
		return &problem{code: known.Code, message: known.Message, next: known.Next, exit: known.Exit}
	}
	panic(err) // an error that nobody told us about is our own fault
}
