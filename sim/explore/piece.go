package explore

import (
	"slices"

	"github.com/ackademy/ackademy/sim"
)

// A piece is what one worker does at a time: some states of a batch, and their
// successors on the way to the partitions that will store them.

// piece is a run of states that one worker expands, and what came of it.
type piece struct {
	states []number
	boxes  [partitions]outbox
	aside  []int // places in states that needed more than was known
	edges  int
	calm   []number // by place: the first successor without a fault, once stored
	busy   []bool   // by place: some step keeps it from rest
	found  [partitions][]finding
}

// outbox holds successors on their way to a partition, one behind the other:
// the words of the state, the hash in two words, and the place in the piece
// that it came from, with calmMark on the first step without a fault, and
// busyMark on the first of those that keeps the world from rest.
type outbox []uint32

// boxed is what stands behind the state in an outbox.
const boxed = 3

// primeBox primes a partition for the first states of an out-box and returns
// for how many.
func (st *store) primeBox(part int, box outbox) int {
	var hashes [primeAhead]uint64
	n := 0
	for at := st.width; at < len(box) && n < primeAhead; at += st.width + boxed {
		hashes[n] = uint64(box[at])<<32 | uint64(box[at+1])
		n++
	}
	st.parts[part].prime(hashes[:n], st.width)
	return n
}

const (
	calmMark = 1 << 31
	busyMark = 1 << 30
)

// judge notes the verdicts that a new state shows by itself.
func (p *piece) judge(w *sim.World, part int, n number, st sim.State) {
	v := w.Certain(st)
	for _, prop := range certainProperties {
		if v.Of[prop] != 0 {
			p.found[part] = append(p.found[part], finding{prop, n, v.Of[prop], w.FaultsUsed(st)})
		}
	}
}

// expansion is the expansion of one state after another into a piece's
// out-boxes.
type expansion struct {
	p      *piece
	place  uint32
	base   sim.State
	mixes  []uint64 // by slot: its part of the hash
	hash   uint64
	calmed bool
	busy   bool
}

func newExpansion(p *piece, width int) *expansion {
	return &expansion{p: p, mixes: make([]uint64, width)}
}

func (e *expansion) begin(place uint32, base sim.State) {
	e.place, e.base, e.hash, e.calmed, e.busy = place, base, 0, false, false
	for slot, id := range base {
		e.mixes[slot] = mix(uint64(slot), uint64(id))
		e.hash += e.mixes[slot]
	}
}

// packed posts the successors of a group of steps (sim.World.ExpandKnown).
func (e *expansion) packed(words []uint32) {
	for len(words) > 0 {
		head := words[0]
		size := head >> 2 * 2 // two words each
		writes := words[1 : 1+size]
		words = words[1+size:]
		h := e.hash
		for i := 0; i+1 < len(writes); i += 2 {
			slot := writes[i]
			h += mix(uint64(slot), uint64(writes[i+1])) - e.mixes[slot]
		}
		st := e.p.post(e.base, h, e.from(head&1 != 0, head&2 != 0))
		for i := 0; i+1 < len(writes); i += 2 {
			st[writes[i]] = writes[i+1]
		}
	}
}

// outcome posts the successor of one step.
func (e *expansion) outcome(o *sim.Outcome) {
	h := e.hash
	for _, w := range o.Writes {
		h += mix(uint64(w.Slot), uint64(w.ID)) - e.mixes[w.Slot]
	}
	o.Into(e.p.post(e.base, h, e.from(!o.Calm(), o.Kind == sim.StepRequest)), e.base)
}

// from is the place of the state, marked for its first step without a fault
// and the first one that keeps it from rest.
func (e *expansion) from(fault, rests bool) uint32 {
	place := e.place
	if fault {
		return place
	}
	if !e.calmed {
		e.calmed = true
		place |= calmMark
	}
	if !rests && !e.busy {
		e.busy = true
		place |= busyMark
	}
	return place
}

// post puts a state into the out-box of its partition and returns the words
// there, which may still be changed.
func (p *piece) post(st sim.State, h uint64, from uint32) sim.State {
	box := &p.boxes[partitionOf(h)]
	at, width := len(*box), len(st)
	if at+width+boxed > cap(*box) {
		*box = slices.Grow(*box, width+boxed)
	}
	b := (*box)[: at+width+boxed : cap(*box)]
	copy(b[at:], st)
	b[at+width], b[at+width+1], b[at+width+2] = uint32(h>>32), uint32(h), from
	*box = b
	p.edges++
	return sim.State(b[at : at+width])
}

func (p *piece) reset(states []number) {
	p.states, p.aside, p.edges = states, p.aside[:0], 0
	p.calm, p.busy = p.calm[:0], p.busy[:0]
	for range states {
		p.calm = append(p.calm, none)
		p.busy = append(p.busy, false)
	}
	for i := range p.boxes {
		p.boxes[i] = p.boxes[i][:0]
		p.found[i] = p.found[i][:0]
	}
}

// mark and cut take back the successors of a state that was not wholly known.
func (p *piece) mark() (m [partitions + 1]int) {
	for i := range p.boxes {
		m[i] = len(p.boxes[i])
	}
	m[partitions] = p.edges
	return m
}

func (p *piece) cut(m [partitions + 1]int) {
	for i := range p.boxes {
		p.boxes[i] = p.boxes[i][:m[i]]
	}
	p.edges = m[partitions]
}
