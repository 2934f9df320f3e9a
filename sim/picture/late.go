package picture

import (
	"fmt"

	"github.com/ackademy/ackademy/sim"
)

// Sentences about late requests and outages.

func (t *teller) late(e *sim.Event) string {
	return "a request that " + t.who(e.Proc) + " has given up arrives: it " + t.ask(e) + t.result(e)
}

func (t *teller) outage(e *sim.Event) string {
	name := ""
	if e.Database >= 0 {
		name = t.h.sc.Databases[e.Database].Name
	} else {
		name = t.h.sc.Providers[e.Provider].Name
	}
	if e.Kind == sim.EventOutageEnd {
		return name + " answers again"
	}
	return name + " refuses every call for " + span(e.Seconds)
}

// outage returns the lane of a party that is out.
func (x laneIndex) outage(e *sim.Event) int {
	if e.Database >= 0 {
		return x.databases[int(e.Database)]
	}
	return x.providers[int(e.Provider)]
}

// cameLate: the second effect is that of a request whose caller had given up.
func (x *explainer) cameLate(second effect) string {
	for _, e := range x.h.run.Events(second.step - 1) {
		if e.Kind == sim.EventLate {
			return fmt.Sprintf("the %s that %s had seen time out arrived after all at step %d", e.Call.Verb, x.h.sc.Processes[e.Proc].Name, second.step)
		}
	}
	return ""
}
