package workbook

import (
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/web"
)

// actions lists what can happen now, and tells whether the world is at rest.
// Where the next step comes upon a mistake in the text nothing is offered.
func (p *present) actions() ([]web.Action, bool) {
	steps, err := p.world.Steps(p.run.At(p.position))
	if err != nil {
		return nil, false
	}
	var list []web.Action
	rest := true
	for i := range steps {
		a := p.action(&steps[i])
		if rest && steps[i].Fault == sim.NoFault {
			rest, a.Default = false, true
		}
		list = append(list, a)
	}
	return list, rest
}

func (p *present) action(o *sim.Outcome) web.Action {
	a := web.Action{Name: o.Name, Label: o.Name, Kind: kindOf(o.Kind)}
	if o.Proc >= 0 {
		decl := &p.sc.Processes[o.Proc]
		a.Group = decl.Name
		if label, own := strings.CutPrefix(o.Name, decl.Name+" "); own {
			a.Label = label
		} else {
			a.Group = p.sc.Queues[decl.Queue].Name // the broker acts
		}
	} else {
		a.Group, a.Label, _ = strings.Cut(o.Name, " ")
	}
	if o.Fault != sim.NoFault {
		a.Fault = o.Fault.String()
		a.Explain = faultWords[o.Fault]
		return a
	}
	switch o.Kind {
	case sim.StepDeliver:
		a.Explain = "The broker hands the message to this consumer; its lease, if it has one, begins now."
	case sim.StepTimer:
		a.Explain = "Something that takes time is due; the clock moves there if nothing holds it."
	case sim.StepWake:
		a.Explain = "The stalled process goes on as if nothing had happened."
	default:
		a.Frame, a.Explain = p.callWords(int(o.Proc))
	}
	return a
}

// faultWords say what a fault does, by which rule.
var faultWords = map[sim.FaultKind]string{
	sim.Crash:          "The process dies and starts anew: its memory, open transactions and connections are gone, nothing durable is.",
	sim.LostRequest:    "The request gets lost on its way: nothing happens, and the caller can't tell it from a lost reply.",
	sim.LostReply:      "It happens, but the answer gets lost: the caller can't tell it from a lost request.",
	sim.RefusedCall:    "A definite failure: nothing happens, and the caller is told so.",
	sim.ConnectionLost: "The connection is lost: its transaction is rolled back, its deliveries go back by the broker's rule.",
	sim.Stall:          "The process stands still while the clock and everybody else go on.",
	sim.EarlyExpiry:    "The broker ends the lease before its time.",
}

// callWords finds what the language reference says of the call that a process
// is about to make.
func (p *present) callWords(process int) (frame, explain string) {
	place := p.picture.Tracks[process].Places[p.position]
	if !place.Running {
		return "", ""
	}
	site := p.sc.Site(place.Handler, place.Input, place.Answers)
	if site.Call == nil {
		return "", ""
	}
	if site.Call.Ends() {
		return "", "The handler is over: an open transaction is rolled back, then the runtime's rule applies."
	}
	call := site.Call
	inTransaction := call.InTx || call.Verb == sim.VerbCommit || call.Verb == sim.VerbRollback
	for _, b := range p.reference {
		if b.Where == "handler" && b.Name == call.Verb.String() && (b.Of == "transaction") == inTransaction {
			explain, _, _ := strings.Cut(b.Doc, ". ")
			return b.Stands, strings.TrimSuffix(explain, ".") + "."
		}
	}
	return "", ""
}

func kindOf(k sim.StepKind) string {
	switch k {
	case sim.StepFault:
		return "fault"
	case sim.StepTimer:
		return "timer"
	case sim.StepWake:
		return "wake"
	}
	return "step"
}

// diagramOf puts a picture into the page's words.
func diagramOf(p *picture.Diagram) web.Diagram {
	var d web.Diagram
	name := func(lane int) string { return p.Lanes[lane].Name }
	for _, lane := range p.Lanes {
		d.Lanes = append(d.Lanes, web.Lane{Name: lane.Name, Kind: string(lane.Kind)})
	}
	for i := range p.Rows {
		d.Rows = append(d.Rows, rowOf(&p.Rows[i], name))
	}
	for _, b := range p.Bands {
		switch b.Kind {
		case picture.BandUnacked, picture.BandTransaction, picture.BandStalled:
			d.Bands = append(d.Bands, web.Band{Lane: name(b.Lane), Kind: string(b.Kind), First: b.First, Last: b.Last, Label: b.Label, End: b.End})
		}
	}
	return d
}

func rowOf(row *picture.Row, name func(int) string) web.Row {
	var out web.Row
	for _, a := range row.Arrows {
		request := web.Arrow{From: name(a.From), To: name(a.To), Label: a.Label, Kind: "request", Fate: "arrives"}
		switch {
		case a.Lost == picture.RequestLost:
			request.Fate = "lost"
		case a.Answer == sim.Refused.String():
			request.Fate = "refused"
		}
		out.Arrows = append(out.Arrows, request)
		reply := web.Arrow{From: request.To, To: request.From, Label: a.Answer, Kind: "reply", Fate: "arrives"}
		switch {
		case a.Lost == picture.ReplyLost:
			reply.Label, reply.Fate = "", "lost"
			out.Arrows = append(out.Arrows, reply)
		case a.Answer != "" && request.Fate == "arrives":
			out.Arrows = append(out.Arrows, reply)
		}
	}
	effect := map[int]bool{}
	for _, m := range row.Marks {
		effect[m.Lane] = effect[m.Lane] || m.Kind == picture.MarkEffect
	}
	for _, m := range row.Marks {
		kind, shown := markKinds[m.Kind]
		superseded := effect[m.Lane] && (m.Kind == picture.MarkCommit || m.Kind == picture.MarkMail)
		if !shown || superseded {
			continue
		}
		if m.Kind == picture.MarkEffect && row.Marks[0].Kind == picture.MarkMail {
			kind = "mail"
		}
		out.Marks = append(out.Marks, web.Mark{Lane: name(m.Lane), Kind: kind, Label: m.Text})
	}
	return out
}

// markKinds are the page's words for marks; what is not here is said by an
// arrow already.
var markKinds = map[picture.MarkKind]string{
	picture.MarkCrash: "crash", picture.MarkStall: "stall", picture.MarkWake: "wake", picture.MarkWork: "wait", picture.MarkDone: "end",
	picture.MarkTimeout: "wait", picture.MarkEnd: "end", picture.MarkFail: "violation", picture.MarkGone: "violation",
	picture.MarkDisconnect: "violation", picture.MarkAck: "ack", picture.MarkNack: "nack", picture.MarkReject: "nack",
	picture.MarkStale: "violation", picture.MarkReturn: "nack", picture.MarkExpire: "expire", picture.MarkCommit: "commit",
	picture.MarkRollback: "rollback", picture.MarkMail: "mail", picture.MarkKnownKey: "mail", picture.MarkForget: "expire",
	picture.MarkEffect: "commit", picture.MarkAccepted: "accept", picture.MarkRefused: "accept",
}
