package exercises

import "fmt"

// The broker's part of a run: what is handed to whom, and what comes again.

// deliver hands an intent to an idle worker, which receives it and stands at
// its first call.
func (r *run) deliver(w *worker, intent Intent) (*delivery, error) {
	if err := r.ready(w); err != nil {
		return nil, err
	}
	d := &delivery{Intent: intent, token: fmt.Sprintf("d%d", len(r.deliveries)+1), label: r.label(intent)}
	r.deliveries = append(r.deliveries, d)
	w.delivery, w.calls = d, 0
	r.log("deliver %s %d to %s", intent.Operation, intent.Amount, w.name)
	w.send(d)
	return d, r.step(w)
}

// label tells a delivery from others of its operation.
func (r *run) label(intent Intent) string {
	label := intent.Operation
	for _, earlier := range r.deliveries {
		if earlier.Intent == intent {
			return intent.Operation + " again"
		}
		if earlier.Operation == intent.Operation {
			label = fmt.Sprintf("%s with %d", intent.Operation, intent.Amount)
		}
	}
	return label
}

// work delivers an intent and lets the worker finish with it.
func (r *run) work(w *worker, intent Intent) (*delivery, error) {
	d, err := r.deliver(w, intent)
	if err != nil {
		return d, err
	}
	return d, r.finish(w)
}

// insist delivers an intent to one process after the other until one of them
// settles it. It returns the worker that did.
func (r *run) insist(w *worker, intent Intent) (*worker, error) {
	for range maxAttempts {
		if w == nil || w.state == gone {
			fresh, err := r.start()
			if err != nil {
				return fresh, err
			}
			w = fresh
		}
		d, err := r.work(w, intent)
		if err != nil || d.answer != "" {
			return w, err
		}
		if w.state != gone {
			return w, &halt{verdict: VerdictStuck, message: fmt.Sprintf("%s asks for the next delivery without having answered %s.", w.name, intent.Operation)}
		}
	}
	return w, &halt{verdict: VerdictStuck, message: fmt.Sprintf("%s was delivered %d times, alone and undisturbed, and no process answered.", intent.Operation, maxAttempts)}
}

// lateCopies delivers each intent once more, to the last process that is idle. (A
// program that remembers in memory has been found by the first stage, where
// the last process is a new one.)
func (r *run) lateCopies() error {
	seen := map[Intent]bool{}
	late := r.lastIdle()
	for _, d := range r.deliveries[:len(r.deliveries):len(r.deliveries)] {
		if seen[d.Intent] {
			continue
		}
		seen[d.Intent] = true
		var err error
		if late, err = r.insist(late, d.Intent); err != nil {
			return err
		}
	}
	return nil
}

// lastIdle is the youngest process that waits for a delivery, or nil.
func (r *run) lastIdle() *worker {
	for i := len(r.workers) - 1; i >= 0; i-- {
		if r.workers[i].idle() {
			return r.workers[i]
		}
	}
	return nil
}
