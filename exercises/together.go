package exercises

import "fmt"

// together is the stage in which two processes work at the same time. The
// grader makes the interleavings: one process makes some calls and stands still,
// the other makes some and stands still, then the first runs to its end and
// the second after it. With every pair of numbers this covers each race that
// needs one turn back and forth, "both have asked, neither has written" among
// them. A process that meets a lock stands still before its time, and larger
// numbers for it would be the same run again.
func (g *grading) together() (Stage, error) {
	stage := Stage{Name: "together", Title: "two processes at the same time"}
	calls := len(g.first) - 2 // without open and receive
	var tasks []rivalry
	for _, pair := range g.pairs() {
		for i := range calls {
			if i > 0 || pair[0] != pair[1] { // equal and not begun: the second then plays the first one's part
				tasks = append(tasks, rivalry{pair: pair, first: i})
			}
		}
		for i := range calls {
			tasks = append(tasks, rivalry{pair: pair, first: i, kill: true})
		}
	}
	families := make([]family, len(tasks))
	results := g.spread(len(tasks), func(i int) result {
		families[i] = g.rival(i, tasks[i], calls)
		return families[i].result
	})
	for _, f := range families[:len(results)] {
		stage.Runs, stage.Kills = stage.Runs+f.runs, stage.Kills+f.kills
	}
	return stage, g.add(&stage, results...)
}

// family is the outcome of a rivalry: its first failure, or bound, or success.
type family struct {
	result
	runs, kills int
}

// rivalry is a family of runs: the first process has made a number of calls,
// the second makes 0, 1, 2 and so on; or, with kill, as many as it can, whereupon
// the first is killed.
type rivalry struct {
	pair  [2]Intent
	first int
	kill  bool
}

func (f rivalry) String() string {
	ending := "overtaken"
	if f.kill {
		ending = "killed under the eyes of the other"
	}
	return fmt.Sprintf("%s %d beside %s %d: the first is %s after %d calls",
		f.pair[0].Operation, f.pair[0].Amount, f.pair[1].Operation, f.pair[1].Amount, ending, f.first)
}

// pairs are two copies of one operation, two operations, and two amounts under
// one name.
func (g *grading) pairs() [][2]Intent {
	list := g.exercise.Deliveries
	pairs := [][2]Intent{{list[0], list[0]}}
	for i, intent := range list {
		switch {
		case intent.Operation != list[0].Operation && word(list, i) == "applied",
			intent.Operation == list[0].Operation && word(list, i) == "conflict":
			pairs = append(pairs, [2]Intent{list[0], intent})
		}
	}
	return pairs
}

// rival runs one family.
func (g *grading) rival(number int, rivalry rivalry, calls int) (f family) {
	f.name = rivalry.String()
	for second := range calls {
		var r *run
		if r, f.err = g.newRun(g.ctx, fmt.Sprintf("together-%d-%d", number, second)); f.err != nil {
			return f
		}
		stood := rivalry.kill
		if rivalry.kill {
			f.err = r.bereave(rivalry)
		} else {
			stood, f.err = r.overtake(rivalry, second)
		}
		r.close()
		f.run = r
		f.runs, f.kills = f.runs+1, f.kills+r.kills
		if f.err != nil || stood {
			return f
		}
	}
	return f
}

// overtake is one interleaving; stood means that the second process could not
// make all its calls, so that a larger number changes nothing.
func (r *run) overtake(rivalry rivalry, second int) (stood bool, err error) {
	a, b, err := r.both(rivalry.pair[0], rivalry.pair[1])
	if err != nil {
		return false, err
	}
	if _, err := r.advance(a, rivalry.first); err != nil {
		return false, err
	}
	made, err := r.advance(b, second)
	if err != nil {
		return false, err
	}
	if err := r.settleBoth(a, b); err != nil {
		return false, err
	}
	return made < second, r.end()
}

// bereave kills the first process after some calls, when the second has gone as
// far as it can, usually to the lock that the first one holds.
func (r *run) bereave(rivalry rivalry) error {
	a, b, err := r.both(rivalry.pair[0], rivalry.pair[1])
	if err != nil {
		return err
	}
	if _, err := r.advance(a, rivalry.first); err != nil {
		return err
	}
	if _, err := r.advance(b, r.limits.Calls); err != nil {
		return err
	}
	if a.state != gone {
		if err := r.kill(a); err != nil {
			return err
		}
	}
	if err := r.settleBoth(a, b); err != nil {
		return err
	}
	return r.end()
}

// advance lets a worker make up to n calls; it stands still before a lock.
func (r *run) advance(w *worker, n int) (made int, err error) {
	for made < n && w.state == parked && !w.idle() {
		if err := r.step(w); err != nil {
			return made, err
		}
		if w.state != waiting {
			made++
		}
	}
	return made, nil
}
