package picture

import (
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// Sentences about several handlers in one process: what befalls one befalls all.

// along adds to whom else of the same process something happened in the same
// step, with what to say of one and of several.
func (t *teller) along(first *sim.Event, kind sim.EventKind, one, several string) string {
	host := t.h.sc.Processes[first.Proc].Host
	if host == 0 {
		return ""
	}
	var names []string
	for i := range t.events {
		if e := &t.events[i]; e.Kind == kind && e.Proc != first.Proc && t.h.sc.Processes[e.Proc].Host == host {
			names = append(names, t.who(e.Proc))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "; " + names[0] + ", in the same process, " + one
	}
	return "; " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + ", in the same process, " + several
}

// goesBack says which deliveries go back to their queues, beginning with one.
func (t *teller) goesBack(first *sim.Event) string {
	var names []string
	for i := range t.events {
		if e := &t.events[i]; e.Kind == sim.EventReturned && e.Queue == first.Queue {
			names = append(names, e.Message)
		}
	}
	verb := " goes back to "
	if len(names) > 1 {
		verb = " go back to "
	}
	return strings.Join(names, ", ") + verb + t.h.sc.Queues[first.Queue].Name
}

// forgot adds that what a handler kept in memory died before anybody had made
// use of it.
func (x *explainer) forgot(j *job) string {
	if j.kept == 0 {
		return ""
	}
	for _, o := range x.h.jobs {
		host := x.h.sc.Processes[o.proc].Host
		same := o.proc == j.proc || host > 0 && host == x.h.sc.Processes[j.proc].Host
		if same && o.how == crashed && o.ended >= j.kept-1 {
			return fmt.Sprintf(": it kept it in memory, which was gone when %s %s at step %d before %s", x.h.name(o), o.died(), o.ended, o.before)
		}
	}
	return ""
}
