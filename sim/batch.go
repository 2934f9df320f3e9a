package sim

import (
	"fmt"
	"strings"
)

// Batches: a handler is given several deliveries at once, and settles each by
// itself.

// batchSteps lists the deliveries to an idle consumer that has a buffer or
// takes batches. Delivering and starting are one step.
func (w *World) batchSteps(x *step, p int) {
	decl := &w.sc.Processes[p]
	if !x.proc(p).free() {
		return
	}
	if decl.Batch == 0 {
		for _, i := range w.deliverable(x, p) {
			name := "deliver " + w.messageName(x.queue(decl.Queue).messages[i].id) + " to " + w.procName(p)
			x.open()
			x.deliver(p, i)
			x.close(Outcome{Name: name, Kind: StepDeliver, Proc: int16(p)})
		}
		return
	}
	ids := w.nextBatch(x, p)
	if len(ids) == 0 {
		return
	}
	x.open()
	x.deliverBatch(p, ids)
	x.close(Outcome{Name: w.batchName(p, w.messageNames(ids)), Kind: StepDeliver, Proc: int16(p)})
}

func (w *World) batchName(p int, names []string) string {
	return "deliver " + strings.Join(names, ",") + " to " + w.procName(p)
}

func (w *World) messageNames(ids []messageID) []string {
	var names []string
	for _, id := range ids {
		names = append(names, w.messageName(id))
	}
	return names
}

// deliverBatch hands messages to an idle consumer that starts on them.
func (x *step) deliverBatch(p int, ids []messageID) {
	q := x.w.sc.Processes[p].Queue
	var list []delivered
	for _, id := range ids {
		list = append(list, x.take(p, x.placeOf(q, id)))
	}
	in := x.w.given(p, list)
	for _, d := range list {
		x.emit(Event{Kind: EventDeliver, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(d.id), Label: d.label, Input: in})
		x.tellAutoAck(p, d)
	}
	x.startOn(p, list)
}

// missedBatches lists the deliveries to an idle client whose answer can get
// lost: a batch is lost whole.
func (w *World) missedBatches(x *step, p int) {
	q := w.sc.Processes[p].Queue
	if w.sc.Processes[p].Batch == 0 {
		for _, i := range w.deliverable(x, p) {
			name := w.batchName(p, []string{w.messageName(x.queue(q).messages[i].id)})
			x.strike(LostReply, p, name+" lost-reply", func() { x.miss(p, i) })
		}
		return
	}
	ids := w.nextBatch(x, p)
	if len(ids) == 0 {
		return
	}
	x.strike(LostReply, p, w.batchName(p, w.messageNames(ids))+" lost-reply", func() {
		for _, id := range ids {
			x.miss(p, x.placeOf(q, id))
		}
	})
}

// given is what a handler is told of its deliveries: of one, or of a list.
func (w *World) given(p int, list []delivered) Input {
	if w.sc.Processes[p].Batch == 0 {
		return list[0].in
	}
	return w.batchInput(p, list)
}

// batchInput is what a handler is told of a list of deliveries.
func (w *World) batchInput(p int, list []delivered) Input {
	element := w.sc.element
	if w.readsLog(p) {
		element = w.sc.recordElement
	}
	var fields []Field
	for i, d := range list {
		fields = append(fields, Field{fmt.Sprintf("d%03d", i), element(d.in)})
	}
	return Input{Batch: w.sc.Values.Record(fields)}
}

// element puts what a handler is told of one delivery into a record.
func (sc *Scenario) element(in Input) ValueID {
	return sc.Values.Record([]Field{{"again", sc.Values.Bool(in.Again)}, {"attempt", sc.Values.Int(int64(in.Attempt))}, {"body", in.Body}, {"group", in.Group}, {"op", in.Op}})
}

// recordElement is element for a record of a log.
func (sc *Scenario) recordElement(in Input) ValueID {
	return sc.Values.Record([]Field{{"body", in.Body}, {"key", in.Key}, {"offset", sc.Values.Int(in.Offset)}, {"op", in.Op}, {"partition", sc.Values.Int(int64(in.Partition))}})
}

// Elements returns what a handler is told of each of its deliveries.
func (sc *Scenario) Elements(in Input) []Input {
	if in.Batch == None {
		return []Input{in}
	}
	var list []Input
	for _, f := range sc.Values.Get(in.Batch).Fields {
		e := Input{}
		e.Op, _ = sc.Values.Field(f.Value, "op")
		e.Body, _ = sc.Values.Field(f.Value, "body")
		attempt, _ := sc.Values.Field(f.Value, "attempt")
		again, _ := sc.Values.Field(f.Value, "again")
		e.Again = again == True
		e.Group, _ = sc.Values.Field(f.Value, "group")
		e.Attempt = uint8(sc.Values.Get(attempt).Int)
		e.Key, _ = sc.Values.Field(f.Value, "key")
		offset, _ := sc.Values.Field(f.Value, "offset")
		partition, _ := sc.Values.Field(f.Value, "partition")
		e.Offset, e.Partition = sc.Values.Get(offset).Int, uint8(sc.Values.Get(partition).Int)
		list = append(list, e)
	}
	return list
}
