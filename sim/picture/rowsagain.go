package picture

import (
	"fmt"

	"github.com/ackademy/ackademy/sim"
)

// Sentences about what rows had to do with a verdict: a row that was read again
// before anything said that it was done with, a row that was written over by an
// older version, a row that would have been the cause and was never committed.

// readAgain tells how a handler that nothing was delivered to came to repeat an
// effect: it read a row that still said so.
func (x *explainer) readAgain(first, second effect) string {
	read := lastRead(second.by, second.step)
	if read == nil {
		return x.askedAgain(first.by, second.by)
	}
	who, table := x.h.name(second.by), x.h.sc.Databases[read.call.Party].Tables[read.call.Table].Name
	if read.step < first.step {
		return fmt.Sprintf("%s had read %s at step %d, before the first effect", who, table, read.step)
	}
	return fmt.Sprintf("%s read %s at step %d, where nothing said yet that it was done", who, table, read.step)
}

// askedAgain tells how the request that one handler had came to another: its
// caller was told nothing, be it that the handler ended without a word or that
// the caller had stopped waiting.
func (x *explainer) askedAgain(a, b *job) string {
	if b.began < a.began {
		a, b = b, a
	}
	gaveUp := 0
	for _, k := range x.h.asked {
		switch {
		case k.intent != x.intent || k.step <= a.began || k.step > b.began:
		case !k.again:
			gaveUp = k.step
		case gaveUp > 0:
			return fmt.Sprintf("its caller stopped waiting at step %d and asked again at step %d", gaveUp, k.step)
		case a.how == crashed:
			return fmt.Sprintf("%s %s at step %d and its caller, who was told nothing, asked again at step %d", x.h.name(a), a.died(), a.ended, k.step)
		default:
			return fmt.Sprintf("its caller, who was told nothing, asked again at step %d", k.step)
		}
	}
	return ""
}

// lastRead is the last call before a step that read rows.
func lastRead(j *job, step int) *made {
	var last *made
	for i := range j.calls {
		switch c := &j.calls[i]; c.call.Verb {
		case sim.VerbSelect, sim.VerbGet, sim.VerbClaim, sim.VerbExists:
			if c.step < step {
				last = c
			}
		}
	}
	return last
}

// overwritten names who wrote what the intent wanted and who wrote over it.
func (x *explainer) overwritten() string {
	text := x.name + " is overwritten: an older version stands over it"
	for channel := range x.channels() {
		effects := x.h.effectsOf(x.intent, channel)
		if len(effects) == 0 {
			continue
		}
		done := effects[len(effects)-1]
		over, by := x.lastWrite(x.place(channel), done.step)
		if over == nil {
			continue
		}
		return fmt.Sprintf("%s is overwritten: %s wrote it at step %d, and at step %d %s put an older version over it",
			x.name, x.h.name(done.by), done.step, over.step, x.h.name(by))
	}
	return text
}

// lastWrite is the last change of a table after a step, and whose it was.
func (x *explainer) lastWrite(place string, after int) (*made, *job) {
	var last *made
	var by *job
	for _, j := range x.h.jobs {
		for i := range j.calls {
			c := &j.calls[i]
			switch c.call.Verb {
			case sim.VerbInsert, sim.VerbPut, sim.VerbUpdate, sim.VerbChange, sim.VerbClaim:
			default:
				continue
			}
			db := &x.h.sc.Databases[c.call.Party]
			if c.step > after && db.Name+"."+db.Tables[c.call.Table].Name == place && (last == nil || c.step > last.step) {
				last, by = c, j
			}
		}
	}
	return last, by
}

// causeless says which row would have been the cause of an effect.
func (x *explainer) causeless() string {
	for _, e := range x.h.effects {
		if e.intent != x.intent {
			continue
		}
		for _, db := range x.h.sc.Databases {
			for _, t := range db.Tables {
				if t.Role == sim.RoleCause {
					return fmt.Sprintf("%s made the effect of %s at step %d, and the row of %s that would be its cause was never committed",
						x.h.name(e.by), x.name, e.step, t.Name)
				}
			}
		}
		if x.h.view(x.end).Intents[x.intent].Told == "withdrawn" {
			return fmt.Sprintf("%s made the effect of %s at step %d, after it had been withdrawn", x.h.name(e.by), x.name, e.step)
		}
	}
	return x.name + " has an effect that nothing justifies"
}
