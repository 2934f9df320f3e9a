package exercises

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/exercises/kit"
)

// The stages of a sink, from the plainest to the proof. Grading stops after the
// first that fails: what comes later would tell the same story in a more
// complicated way.
//
//	undisturbed  all deliveries in order, the program restarted in the middle;
//	             the file is looked at after every single call
//	sweep        the same deliveries, once per boundary with SIGKILL there, then
//	             delivered again to a new process
//	together     two processes at the same time: each interleaving with one turn
//	             back and forth, and each kill of one with the other at its heels
//	twice        as sweep, but delivered again to two new processes at once
//	record       the written record, line by line
var stageNames = []string{"undisturbed", "sweep", "together", "twice", "record"}

// undisturbed is the first stage: nobody is killed and nobody competes.
func (g *grading) undisturbed() (Stage, error) {
	stage := Stage{Name: "undisturbed", Title: "all deliveries in order, nobody is killed", Runs: 1}
	r, err := g.newRun(g.ctx, stage.Name)
	if err != nil {
		return stage, err
	}
	r.watched = 0
	var w *worker
	for i, intent := range g.exercise.Deliveries {
		if err == nil && i == len(g.exercise.Deliveries)/2 {
			err = r.leave()
		}
		if err == nil {
			w, err = r.insist(w, intent)
		}
		if err == nil {
			err = r.look(false)
		}
		if err == nil {
			err = r.unlocked()
		}
		if err == nil {
			err = r.rightWord(i)
		}
		if err := g.add(&stage, result{name: describe(g.exercise.Deliveries, i), run: r, err: err}); err != nil || stage.Status != "" {
			r.close()
			return stage, err
		}
	}
	if err = r.leave(); err == nil {
		err = r.end()
	}
	r.close()
	return stage, g.add(&stage, result{name: "each once more, then the file opened read-only", run: r, err: err})
}

// describe names a delivery of the list: "work-1 with 100, delivered again".
func describe(list []Intent, i int) string {
	text := fmt.Sprintf("%s with %d", list[i].Operation, list[i].Amount)
	if word(list, i) == kit.Duplicate {
		text += ", delivered again"
	}
	return text
}

// word is the right answer to the i-th delivery of a list.
func word(list []Intent, i int) kit.Answer {
	for _, earlier := range list[:i] {
		switch {
		case earlier == list[i]:
			return kit.Duplicate
		case earlier.Operation == list[i].Operation:
			return kit.Conflict
		}
	}
	return kit.Applied
}

// rightWord checks the last answer against the right one.
func (r *run) rightWord(i int) error {
	last := r.deliveries[len(r.deliveries)-1]
	if want := word(r.exercise.Deliveries, i); last.answer != string(want) {
		return &halt{verdict: VerdictWrongAnswer, message: fmt.Sprintf("%s was answered %q; the right answer is %q.", describe(r.exercise.Deliveries, i), plain(last.answer), want)}
	}
	return nil
}

// sweep kills the program at each boundary in turn.
func (g *grading) sweep() (Stage, error) {
	stage := Stage{Name: "sweep", Title: "killed at each call in turn, then delivered again"}
	if err := g.count(&stage); err != nil || stage.Status != "" {
		return stage, err
	}
	return stage, g.strikes(&stage, false)
}

// twice is the sweep with two processes that get the work at the same time.
func (g *grading) twice() (Stage, error) {
	stage := Stage{Name: "twice", Title: "killed at each call in turn, then delivered to two processes at once"}
	return stage, g.strikes(&stage, true)
}

func (g *grading) strikes(stage *Stage, twice bool) error {
	results := g.spread(len(g.boundaries), func(i int) result {
		name := "killed before " + g.boundaries[i]
		r, err := g.newRun(g.ctx, fmt.Sprintf("%s-%d", stage.Name, i+1))
		if err != nil {
			return result{name: name, err: err}
		}
		defer r.close()
		return result{name: name, run: r, err: r.struckAt(i+1, twice)}
	})
	stage.Runs = len(results)
	for _, res := range results {
		stage.Kills += res.run.killed()
	}
	return g.add(stage, results...)
}

// count runs all deliveries in one process and lists the boundaries.
func (g *grading) count(stage *Stage) error {
	r, err := g.newRun(g.ctx, "count")
	if err != nil {
		return err
	}
	defer r.close()
	var w *worker
	for i, intent := range g.exercise.Deliveries {
		if w, err = r.insist(w, intent); err != nil {
			return g.add(stage, result{name: "counting the boundaries", run: r, err: err})
		}
		if i == 0 {
			g.first = r.passed
		}
	}
	g.boundaries = r.passed
	return nil
}

// struckAt runs the deliveries up to one boundary, kills the process there and
// goes on as the broker would: what was not settled comes again.
func (r *run) struckAt(boundary int, twice bool) error {
	rest, err := r.untilStruck(boundary)
	if err != nil {
		return err
	}
	if err := r.look(false); err != nil {
		return err
	}
	if twice && len(rest) > 0 {
		if err := r.race(rest[0], rest[0]); err != nil {
			return err
		}
		rest = rest[1:]
	}
	w := r.lastIdle()
	for _, intent := range rest {
		if w, err = r.insist(w, intent); err != nil {
			return err
		}
		if err := r.look(false); err != nil {
			return err
		}
	}
	return r.end()
}

// untilStruck returns the deliveries that were not settled when the kill came.
func (r *run) untilStruck(boundary int) (rest []Intent, err error) {
	r.strike = boundary
	list := r.exercise.Deliveries
	var w *worker
	for i, intent := range list {
		before := len(r.deliveries)
		w, err = r.insist(w, intent)
		if err == nil {
			continue
		}
		if !errors.Is(err, errStruck) {
			return nil, err
		}
		if len(r.deliveries) > before && r.deliveries[len(r.deliveries)-1].answer != "" {
			i++ // it was killed after its answer
		}
		return list[i:], nil
	}
	return nil, notReached(boundary)
}

// notReached: a program that makes fewer calls than it did when they were
// counted was not killed where it should have been, and has not passed.
func notReached(boundary int) error {
	return &halt{bound: "boundary", message: fmt.Sprintf("Call %d was not reached this time: the program does not make the same calls every time.", boundary)}
}

// race hands two intents to two new processes, which then take turns call by
// call. What they leave unsettled is delivered again.
func (r *run) race(first, second Intent) error {
	a, b, err := r.both(first, second)
	if err != nil {
		return err
	}
	for moved := true; moved; {
		moved = false
		for _, w := range []*worker{a, b} {
			if w.idle() || w.state == gone {
				continue
			}
			if err := r.step(w); err != nil {
				return err
			}
			moved = moved || w.state != waiting
		}
	}
	return r.settleBoth(a, b)
}

// both starts two processes and hands each an intent.
func (r *run) both(first, second Intent) (a, b *worker, err error) {
	if a, err = r.start(); err != nil {
		return a, b, err
	}
	if b, err = r.start(); err != nil {
		return a, b, err
	}
	if _, err = r.deliver(a, first); err != nil {
		return a, b, err
	}
	_, err = r.deliver(b, second)
	return a, b, err
}

// settleBoth lets two workers finish and delivers again what they left.
func (r *run) settleBoth(a, b *worker) error {
	if err := r.finish(a, b); err != nil {
		return err
	}
	if err := r.look(false); err != nil {
		return err
	}
	for _, w := range []*worker{a, b} {
		if w.delivery.answer != "" {
			continue
		}
		if _, err := r.insist(r.lastIdle(), w.delivery.Intent); err != nil {
			return err
		}
		if err := r.look(false); err != nil {
			return err
		}
	}
	return nil
}

// record runs the written record.
func (g *grading) record() (Stage, error) {
	stage := Stage{Name: "record", Title: "the record of the statement, line by line", Runs: 1}
	r, err := g.newRun(g.ctx, stage.Name)
	if err != nil {
		return stage, err
	}
	defer r.close()
	list := g.exercise.Deliveries
	none := Rows{Markers: []Marker{}}
	err = r.interruptBeforeCommit(list[0], g.lastCommit())
	if failed := g.line(&stage, r, "killed after both writes, before "+r.boundary, none, err); failed != nil || stage.Status != "" {
		return stage, failed
	}
	var w *worker
	for i, intent := range list {
		if i == len(list)/2 {
			if err := r.leave(); err != nil {
				return stage, g.add(&stage, result{name: "closing the file", run: r, err: err})
			}
			w = nil
		}
		w, err = r.insist(w, intent)
		if err == nil {
			err = r.rightWord(i)
		}
		name := fmt.Sprintf("%s: %s", describe(list, i), word(list, i))
		stage.Kills = r.kills
		if failed := g.line(&stage, r, name, after(list[:i+1]), err); failed != nil || stage.Status != "" {
			return stage, failed
		}
	}
	if err = r.unlocked(); err == nil {
		err = r.leave()
	}
	if err == nil {
		err = r.end()
	}
	return stage, g.line(&stage, r, "no transaction open; the file opened read-only", after(list), err)
}

// line adds a line of the record: the rows after it, exactly.
func (g *grading) line(stage *Stage, r *run, name string, want Rows, err error) error {
	res := result{name: name, run: r, err: err, expected: want.String()}
	if found, unreadable := observe(r.file, r.schema); unreadable == nil {
		res.found = found.Rows.String()
		if err == nil && res.found != res.expected {
			res.err = &disproof{found: found, opinion: opinion{verdict: VerdictMismatch, explanation: "The rows are not those of the record.", expected: want}}
		}
	}
	return g.add(stage, res)
}

// after is what the file must hold after the deliveries of a list.
func after(list []Intent) Rows {
	rows := Rows{Markers: []Marker{}}
	for i, intent := range list {
		if word(list, i) == kit.Applied {
			rows.Markers = append(rows.Markers, Marker{intent.Operation, intent.Amount})
			rows.Total += intent.Amount
		}
	}
	return rows
}

// lastCommit is the number of the boundary before the last COMMIT of the first
// delivery, or 0.
func (g *grading) lastCommit() (boundary int) {
	for i, name := range g.first {
		verb, _, _ := strings.Cut(strings.ToUpper(name), " ")
		if verb == "COMMIT" || verb == "END" {
			boundary = i + 1
		}
	}
	return boundary
}

func (r *run) interruptBeforeCommit(intent Intent, boundary int) error {
	if boundary == 0 {
		return &halt{verdict: VerdictNoCommit, message: "The program announces no COMMIT for its first delivery, so there is no moment after both writes and before the commit."}
	}
	r.strike = boundary
	_, err := r.insist(nil, intent)
	switch {
	case err == nil:
		return notReached(boundary)
	case errors.Is(err, errStruck):
		return nil
	}
	return err
}
