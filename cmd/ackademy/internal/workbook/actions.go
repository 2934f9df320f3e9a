package workbook

import (
	"strings"

	"github.com/ackademy/ackademy/sim"
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
	rest, defaulted := true, false
	for i := range steps {
		a := p.action(&steps[i])
		if steps[i].Calm() && !defaulted {
			defaulted, a.Default = true, true
		}
		rest = rest && (!steps[i].Calm() || steps[i].Kind == sim.StepRequest)
		list = append(list, a)
	}
	return list, rest
}

func (p *present) action(o *sim.Outcome) web.Action {
	a := web.Action{Name: o.Name, Kind: kindOf(o.Kind)}
	if o.Proc >= 0 {
		decl := &p.sc.Processes[o.Proc]
		label, own := strings.CutPrefix(o.Name, decl.Name+" ")
		a.Group, a.Label = decl.Name, plainLabel(label)
		if !own && decl.Kind == sim.Consumer {
			a.Group = p.sc.Queues[decl.Queue].Name // the broker acts
		}
	} else {
		a.Group, a.Label, _ = strings.Cut(o.Name, " ")
	}
	if o.Fault.Strikes() {
		a.Fault = o.Fault.String()
		a.Explain = faultWords[o.Fault]
		return a
	}
	switch o.Kind {
	case sim.StepDeliver:
		a.Explain = "The broker hands the message to this consumer; its lease, if it has one, begins now."
	case sim.StepTimer:
		a.Explain = "Something that takes time is due; the clock moves there if nothing holds it."
	case sim.StepLate:
		a.Explain = "The request is still on its way: it may arrive now, later or never. Nobody hears the answer."
	case sim.StepOperator:
		a.Explain = "A person starts this. Nobody can count on it: the run is at rest without it."
	case sim.StepRequest:
		a.Explain = "A caller asks. When is anybody's guess, so the run is at rest without it."
	case sim.StepWake:
		a.Explain = "The stalled process goes on as if nothing had happened."
	default:
		if a.Label == "auto-commit" {
			a.Explain = "The client commits by itself, for its group: the offsets behind all that it has handed out so far."
			return a
		}
		a.Frame, a.Explain = p.callWords(int(o.Proc), a.Label)
	}
	return a
}

// plainLabel puts the short names of faults into words.
func plainLabel(label string) string {
	for _, r := range []struct{ suffix, words string }{
		{" lost-request", ": request lost"}, {" lost-reply", ": reply lost"}, {" refused", ": refused"}, {" late", ": request late"},
	} {
		if call, ok := strings.CutSuffix(label, r.suffix); ok {
			return call + r.words
		}
	}
	if to, ok := strings.CutPrefix(label, "connection-lost to "); ok {
		return "connection to " + to + " lost"
	}
	return label
}

// faultWords say what a fault does, by which rule.
var faultWords = map[sim.FaultKind]string{
	sim.Crash:           "The process dies and starts anew: its memory, open transactions and connections are gone, nothing durable is.",
	sim.LostRequest:     "The request gets lost on its way: nothing happens, and the caller can't tell it from a lost reply.",
	sim.LostReply:       "It happens, but the answer gets lost: the caller can't tell it from a lost request.",
	sim.RefusedCall:     "A definite failure: nothing happens, and the caller is told so.",
	sim.ConnectionLost:  "The connection is lost: its transaction is rolled back, its deliveries go back by the broker's rule.",
	sim.Stall:           "The process stands still while the clock and everybody else go on.",
	sim.EarlyExpiry:     "The broker ends the lease before its time.",
	sim.Late:            "The caller sees a timeout, and the request arrives later, at any moment, or never.",
	sim.Outage:          "The party refuses every call for a while; what it had accepted stands.",
	sim.BrokerRestart:   "The broker dies and starts anew: connections are lost, and what it keeps in memory only.",
	sim.DatabaseRestart: "The database's server restarts: open transactions and their locks are gone, what is committed stays.",
	sim.Stop:            "The process is told to stop, as by a deployment: it takes nothing new, finishes what runs and ends in order.",
	sim.Surprise:        "The broker does what nobody asked for and its documents allow: a deleted message comes again, or one is delivered twice.",
}

// callWords finds what the language reference says of the call that a process
// is about to make.
func (p *present) callWords(process int, label string) (frame, explain string) {
	place := p.picture.Tracks[process].Places[p.position]
	if !place.Running {
		return "", ""
	}
	site := p.sc.Site(place.Handler, place.Input, place.Answers)
	if site.Call == nil {
		return "", ""
	}
	if site.Call.Ends() {
		if label != "end" {
			return "", "The handler is over, so the runtime settles the delivery by its rule: " + label + "."
		}
		return "", "The handler is over: an open transaction is rolled back, then the runtime's rule applies."
	}
	call := site.Call
	of, name := p.methodOf(call), call.Verb.String()
	if call.Verb == sim.VerbRollbackTo {
		name = "rollback"
	}
	for _, b := range p.reference {
		if b.Where == "handler" && b.Name == name && (b.Of == of || of == "" && b.Of != "transaction") {
			explain, _, _ := strings.Cut(b.Doc, ". ")
			return frameOf(b.Stands, p.sc.ProfileOf(call)), strings.TrimSuffix(explain, ".") + "."
		}
	}
	return "", ""
}

// methodOf tells what a call is a method of, as the reference names it, where
// several things have one of its name.
func (p *present) methodOf(call *sim.Call) string {
	switch call.Verb {
	case sim.VerbBeginLog:
		return "log"
	case sim.VerbSendOffsets, sim.VerbCommitLog, sim.VerbAbortLog:
		return "log transaction"
	case sim.VerbCommitOffset:
		return "delivery"
	case sim.VerbPublish:
		if p.sc.Queues[call.Party].Log != 0 {
			return "log"
		}
		return "queue"
	case sim.VerbSend:
		return "provider"
	case sim.VerbBegin:
		return "database"
	case sim.VerbCommit, sim.VerbRollback:
		return "transaction"
	case sim.VerbRollbackTo:
		return "savepoint"
	}
	if call.InTx {
		return "transaction"
	}
	return ""
}

// frameWords tell the frames of one system from those of another.
var frameWords = map[string][]string{
	"rabbitmq": {"basic."}, "sqs": {"Message"}, "pubsub": {"Acknowledge", "ModifyAckDeadline"}, "nats": {"+ACK", "-NAK", "+TERM", "JetStream"},
}

// frameOf picks the frame of one system out of a list of several: those of
// brokers are told by their words, those of databases by a name in brackets.
func frameOf(stands, profile string) string {
	all := strings.Split(stands, "; ")
	family, _, _ := strings.Cut(profile, "-")
	for _, frame := range all {
		if own, ok := strings.CutSuffix(frame, " ("+family+")"); ok {
			return own
		}
		for _, word := range frameWords[family] {
			if strings.Contains(frame, word) {
				return frame
			}
		}
	}
	if len(all) == 1 {
		return stands
	}
	return "" // nobody knows which one it would be
}

func kindOf(k sim.StepKind) string {
	switch k {
	case sim.StepFault:
		return "fault"
	case sim.StepTimer:
		return "timer"
	case sim.StepWake, sim.StepLate:
		return "wake"
	case sim.StepOperator:
		return "operator"
	}
	return "step"
}
