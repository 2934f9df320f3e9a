package sim_test

import (
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// tellings lists the steps since the last time with what came of them for
// those who are concerned: what a worker is told with a delivery, what the
// caller of a settle is told, or that nobody is, and whose connection ends.
func (s *story) tellings() string {
	var b strings.Builder
	for ; s.told < s.run.Len(); s.told++ {
		var list []string
		for _, e := range s.run.Events(s.told) {
			if text := s.telling(&e); text != "" {
				list = append(list, text)
			}
		}
		fmt.Fprintf(&b, "%s: %s\n", s.run.Outcome(s.told).Name, strings.Join(append(list, "-")[:max(1, len(list))], ", "))
	}
	return b.String()
}

func (s *story) telling(e *sim.Event) string {
	who := ""
	if e.Proc >= 0 {
		who = s.scenario.Processes[e.Proc].Name
	}
	switch e.Kind {
	case sim.EventDeliver:
		return who + " has it" + delivered(e.Input)
	case sim.EventCall:
		return s.answered(who, e)
	case sim.EventDisconnect:
		return who + " loses its connection"
	case sim.EventReturned:
		return e.Message + " goes back"
	case sim.EventParked:
		return e.Message + " is given up, into " + strings.TrimPrefix(e.To+" ", " ")
	}
	return ""
}

// delivered is what comes with a message, where the handlers read it.
func delivered(in sim.Input) string {
	text := ""
	if in.Attempt > 0 {
		text = fmt.Sprintf(", attempt %d", in.Attempt)
	}
	if in.Again {
		text += ", redelivered"
	}
	return text
}

// answered is what the caller of a settle, an extension or a commit is told.
func (s *story) answered(who string, e *sim.Event) string {
	if e.Answer.Code != sim.OK {
		return who + " is told " + e.Answer.Code.String()
	}
	switch e.Call.Verb {
	case sim.VerbAck, sim.VerbNack, sim.VerbReject, sim.VerbExtend:
		if !s.scenario.Queues[e.Call.Party].AckAnswers {
			return "nobody is told"
		}
	case sim.VerbCommitOffset, sim.VerbSendOffsets, sim.VerbCommitLog, sim.VerbAbortLog, sim.VerbBeginLog, sim.VerbPublish:
	default:
		return ""
	}
	return who + " is told ok"
}

// offsets tells how far the groups of a log have come.
func offsets(v *sim.View) string {
	var b strings.Builder
	for _, q := range v.Queues {
		for _, g := range q.Groups {
			owner := g.Owner
			if owner == "" {
				owner = "nobody"
			}
			fmt.Fprintf(&b, "%s: %s reads for %s, committed %d, next %d\n", q.Name, owner, g.Name, g.Committed, g.Position)
		}
	}
	return b.String()
}

func besidesRequests(steps string) string {
	var b strings.Builder
	for line := range strings.Lines(steps) {
		if !strings.HasPrefix(line, "request ") {
			b.WriteString(line)
		}
	}
	if b.Len() == 0 {
		return "nothing\n"
	}
	return b.String()
}
