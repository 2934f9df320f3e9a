package workbook

import (
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/web"
)

// diagram puts the picture of the run into the page's words.
func (p *present) diagram() web.Diagram {
	var d web.Diagram
	name := func(lane int) string { return p.picture.Lanes[lane].Name }
	for _, lane := range p.picture.Lanes {
		d.Lanes = append(d.Lanes, web.Lane{Name: lane.Name, Kind: string(lane.Kind), Host: lane.Host})
	}
	for i := range p.picture.Rows {
		d.Rows = append(d.Rows, p.row(i, name))
	}
	for _, b := range p.picture.Bands {
		d.Bands = append(d.Bands, web.Band{Lane: name(b.Lane), Kind: string(b.Kind), First: b.First, Last: b.Last, Label: b.Label, End: b.End})
	}
	return d
}

func (p *present) row(i int, name func(int) string) web.Row {
	row := &p.picture.Rows[i]
	var out web.Row
	for _, a := range row.Arrows {
		request := web.Arrow{From: name(a.From), To: name(a.To), Label: a.Label, Kind: "request", Fate: "arrives"}
		switch {
		case a.Lost == picture.RequestLost:
			request.Fate = "lost"
		case a.Answer == sim.Refused.String():
			request.Fate = "refused"
		}
		if strings.HasSuffix(a.Label, " returns") {
			request.Kind = "return" // the broker takes it back: nobody sends anything
		} else if strings.HasPrefix(a.Label, "confirm ") {
			request.Kind = "reply" // to what was sent before
		} else {
			request.Label += subject(row, a.To)
		}
		out.Arrows = append(out.Arrows, request)
		if reply, comes := p.reply(i, a, request); comes {
			out.Arrows = append(out.Arrows, reply)
		}
	}
	out.Marks = marksOf(row, name)
	return out
}

// subject names what a call is about where its name in the schedule doesn't:
// the intent that is accepted, the message that is acked.
func subject(row *picture.Row, lane int) string {
	for _, m := range row.Marks {
		switch m.Kind {
		case picture.MarkAccepted, picture.MarkRefused, picture.MarkAck, picture.MarkNack, picture.MarkReject:
			if m.Lane == lane && !strings.Contains(m.Text, " past ") { // how far a group is: the mark says it
				return " " + m.Text
			}
		}
	}
	return ""
}

// reply is what comes back to the caller: always where it gets lost or says
// something, and else where the call crosses a boundary and waits.
func (p *present) reply(i int, a picture.Arrow, request web.Arrow) (web.Arrow, bool) {
	reply := web.Arrow{From: request.To, To: request.From, Label: a.Answer, Kind: "reply", Fate: "arrives"}
	switch {
	case a.Lost == picture.ReplyLost:
		reply.Label, reply.Fate = "", "lost"
		return reply, true
	case request.Fate != "arrives" || request.Kind != "request":
		return reply, false
	case a.Answer != "":
		return reply, true
	}
	for _, e := range p.run.Events(i) {
		if e.Kind != sim.EventCall || e.Call.NoStep() || p.picture.Rows[i].Arrows[0] != a {
			continue
		}
		c := e.Call
		switch c.Verb {
		case sim.VerbPublish:
			reply.Label = "confirm"
			return reply, c.Confirm
		case sim.VerbBeginLog:
			return reply, false
		case sim.VerbCommitOffset, sim.VerbCommitAfter, sim.VerbSendOffsets, sim.VerbCommitLog, sim.VerbAbortLog:
			return reply, true
		case sim.VerbAck, sim.VerbNack, sim.VerbReject, sim.VerbExtend:
			return reply, p.sc.Queues[c.Party].AckAnswers
		case sim.VerbSend, sim.VerbSendBatch, sim.VerbLookup:
			return reply, true
		case sim.VerbAccept, sim.VerbRefuse:
			return reply, false
		}
		return reply, p.sc.BoundaryOf(c) != sim.InProcess
	}
	return reply, false
}

// marksOf leaves out marks that another one of the row says better.
func marksOf(row *picture.Row, name func(int) string) []web.Mark {
	effect := map[int]bool{}
	sent := false
	for _, m := range row.Marks {
		effect[m.Lane] = effect[m.Lane] || m.Kind == picture.MarkEffect
		sent = sent || m.Kind == picture.MarkMail
	}
	var marks []web.Mark
	for _, m := range row.Marks {
		kind, shown := markKinds[m.Kind]
		superseded := effect[m.Lane] && (m.Kind == picture.MarkCommit || m.Kind == picture.MarkMail)
		if !shown || superseded {
			continue
		}
		if m.Kind == picture.MarkEffect && sent {
			kind = "mail"
		}
		mark := web.Mark{Lane: name(m.Lane), Kind: kind, Label: m.Text}
		switch m.Kind {
		case picture.MarkCrash, picture.MarkStall:
			if mark.Label = strings.ToLower(m.Text); mark.Label == "" {
				mark.Label = string(m.Kind)
			}
		}
		marks = append(marks, mark)
	}
	if len(row.Arrows)+len(marks) == 0 { // nothing says yet what the step was
		for _, m := range row.Marks {
			if m.Text != "" {
				marks = append(marks, web.Mark{Lane: name(m.Lane), Kind: "wake", Label: m.Text})
			}
		}
	}
	return marks
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
	picture.MarkNote: "wait",
}
