package sim

import "slices"

// Most steps touch few slots: a commit reads its process, the locks and two
// tables, whatever the queue holds. So what a group of steps leads to is
// worked out once for the contents that it looks at, and remembered: the first
// slot that it read, then by that slot's number the second one, and so on to
// a leaf that lists the outcomes as changed slots. From then on a step costs a
// few array look-ups and no allocation.
//
// This is sound because the rules reach a state only through step's accessors,
// which record each first read, and because the rules are pure: which slot is
// read next depends only on the slots read before. TestMemoAgrees compares
// the remembered outcomes with fresh ones.

// group is a set of rules that are worked out and remembered together.
type group struct {
	run    func(x *step)
	nodes  []memoNode // the root, and behind it the children of all nodes
	packed []uint32   // for each leaf its number and then its outcomes, for searching
	leafs  []leaf
	kept   int64 // bytes of the leafs
}

// memoNode is a branching point or a leaf in one word, so that going down a
// level is one look into memory: what it is in the lowest bits, then size, then
// base.
//
// Invariant: where it reads a slot, nodes[base:base+size] holds the children, by
// the number in that slot. Where the numbers begin late, as they do where
// something grows with every step, they are counted from an origin, which stands
// in nodes[base-1]: a child for each smaller number would make memory grow with
// the square of a search. Where it is a leaf, its outcomes stand in
// packed[base:base+size] and its number among leafs before them.
type memoNode uint64

const (
	memoKindBits = 8 // 64 slots, twice, and the kinds
	memoSizeBits = 24
	memoSizeMax  = 1<<memoSizeBits - 1
	memoDense    = 256 // numbers below this are never worth an origin
)

// The kinds of a node. From readsSlot on it reads the slot kind-readsSlot, and
// from readsLate on the slot kind-readsLate, counted from an origin.
const (
	isNew     = iota // nothing is known yet
	isLeaf           // leafs has its outcomes in full
	isMistake        // a leaf without outcomes, but with an error
	readsSlot
	readsLate = readsSlot + maxSlots
)

func newMemoNode(kind, base, size int) memoNode {
	if size > memoSizeMax || int64(base) > 1<<32-1 {
		panic("sim: more contents of a slot than a memory of steps can tell apart")
	}
	return memoNode(kind | size<<memoKindBits | base<<(memoKindBits+memoSizeBits))
}

func (n memoNode) kind() int { return int(n & (1<<memoKindBits - 1)) }
func (n memoNode) size() int { return int(n >> memoKindBits & memoSizeMax) }
func (n memoNode) base() int { return int(n >> (memoKindBits + memoSizeBits)) }

// leaf is the outcome of a group for the contents on the path to it.
type leaf struct {
	outcomes []Outcome
	mask     uint64 // for groups that judge: a set of bits
	err      error
}

// Outcome is one enabled step and what it changes.
type Outcome struct {
	Name   string    // as a schedule names it
	Fault  FaultKind // NoFault for a step that needs no misfortune; OperatorAct for what only a person does
	Kind   StepKind
	Proc   int16 // the process that acts or is struck; -1 for a party's own act
	Waits  bool  // doesn't hold the clock (a wake, a request that comes at any time)
	Ages   bool  // the end of a message's lifetime
	Writes []SlotWrite
}

// Calm tells whether the step belongs to what happens by itself: it is no fault
// and will not stay away for ever.
func (o *Outcome) Calm() bool { return o.Fault == NoFault && o.Kind != StepLate }

// SlotWrite is one changed slot.
type SlotWrite struct {
	Slot int32
	ID   uint32
}

// StepKind sorts steps for a reader.
type StepKind uint8

// The kinds.
const (
	StepCall    StepKind = iota // a process makes its next call or ends
	StepDeliver                 // a broker hands out a message
	StepTimer                   // something is due
	StepWake                    // a stalled process goes on
	StepFault
	StepLate     // a request arrives that its caller has given up: possible, never needed
	StepOperator // a person starts something
	StepRequest  // a request comes, of those that come at any time
)

var stepKindNames = [...]string{"call", "deliver", "timer", "wake", "fault", "late", "operator", "request"}

func (k StepKind) String() string { return stepKindNames[k] }

// look returns the remembered leaf for a state, working it out if need be.
func (g *group) look(w *World, s State) *leaf {
	if l := g.recall(s); l != nil {
		return l
	}
	return g.work(w, s)
}

// recall returns the remembered leaf for a state, or nil. It changes nothing.
func (g *group) recall(s State) *leaf {
	if node := g.walk(s); node.kind() != isNew {
		return &g.leafs[g.packed[node.base()-1]]
	}
	return nil
}

// walk goes down to the leaf for a state, or returns a node that is new.
func (g *group) walk(s State) memoNode {
	node := g.nodes[0]
	for {
		kind := node.kind()
		if kind < readsSlot {
			return node
		}
		id := 0
		if kind < readsLate {
			id = int(s[kind-readsSlot])
		} else {
			id = int(s[kind-readsLate]) - int(g.nodes[node.base()-1])
		}
		if uint(id) >= uint(node.size()) {
			return 0
		}
		node = g.nodes[node.base()+id]
	}
}

func newGroup(run func(*step)) *group {
	return &group{run: run, nodes: make([]memoNode, 1)}
}

// work runs the rules on a state and adds the path and the leaf.
func (g *group) work(w *World, s State) *leaf {
	x := &step{w: w, base: s, tracking: true}
	g.run(x)
	at := 0
	for _, slot := range x.reads {
		at = g.child(at, int(slot), int(s[slot]))
	}
	if g.nodes[at].kind() != isNew {
		panic("sim: a rule read different slots for the same contents")
	}
	g.packed = append(g.packed, uint32(len(g.leafs)))
	base := len(g.packed)
	for _, o := range x.outcomes {
		g.packed = o.pack(g.packed)
	}
	kind := isLeaf
	if len(x.outcomes) == 0 && x.err != nil {
		kind = isMistake
	}
	g.nodes[at] = newMemoNode(kind, base, len(g.packed)-base)
	g.leafs = append(g.leafs, leaf{outcomes: x.outcomes, mask: x.mask, err: x.err})
	g.kept += g.leafs[len(g.leafs)-1].weight()
	return &g.leafs[len(g.leafs)-1]
}

// child returns the place of the node below another for a number in a slot.
func (g *group) child(at, slot, id int) int {
	node := g.nodes[at]
	switch node.kind() {
	case isNew, slot + readsSlot, slot + readsLate:
	default:
		panic("sim: a rule read different slots for the same contents")
	}
	if from := g.origin(node); id < from || id >= from+node.size() {
		node = g.widen(node, slot, id)
		g.nodes[at] = node
	}
	return node.base() + id - g.origin(node)
}

// origin is the number of a node's first child.
func (g *group) origin(node memoNode) int {
	if node.kind() >= readsLate {
		return int(g.nodes[node.base()-1])
	}
	return 0
}

// widen gives a node room for one more number, at the end of all.
func (g *group) widen(node memoNode, slot, id int) memoNode {
	from, size := g.origin(node), node.size()
	old := g.nodes[node.base() : node.base()+size]
	kind := node.kind()
	if kind == isNew {
		kind = slot + readsSlot
		if id >= memoDense {
			kind, from = slot+readsLate, id
		}
	}
	low, end := from, from+size
	if id < low {
		low = max(0, min(id, low-size)) // twice the room, so that not every number moves all
	}
	end = max(id+1, end, min(from+2*size, low+memoSizeMax))
	room := end - low
	if len(g.nodes)+room+1 > cap(g.nodes) {
		g.nodes = slices.Grow(g.nodes, max(room+1, len(g.nodes))) // twice the room: append adds a quarter, and copies oftener
	}
	if kind >= readsLate {
		g.nodes = append(g.nodes, memoNode(low))
	}
	wide := newMemoNode(kind, len(g.nodes), room)
	g.nodes = append(g.nodes, make([]memoNode, room)...)
	copy(g.nodes[wide.base()+from-low:], old)
	return wide
}

// weight is about how many bytes a group remembers.
func (g *group) weight() int64 {
	return int64(cap(g.nodes))*8 + int64(cap(g.packed))*4 + g.kept
}

// weight is about how many bytes a leaf takes.
func (l *leaf) weight() int64 {
	n := int64(48)
	for i := range l.outcomes {
		o := &l.outcomes[i]
		n += 64 + int64(len(o.Name)) + 8*int64(cap(o.Writes))
	}
	return n
}

// pack appends an outcome in the form that searching reads: a head word, which
// is four times the number of writes, plus one if the step is a fault or need not
// ever happen, plus two if it keeps nobody from rest; then slot and
// number of each write.
func (o *Outcome) pack(words []uint32) []uint32 {
	head := uint32(len(o.Writes)) << 2
	if !o.Calm() {
		head |= 1
	}
	if o.Kind == StepRequest {
		head |= 2
	}
	words = append(words, head)
	for _, wr := range o.Writes {
		words = append(words, uint32(wr.Slot), wr.ID)
	}
	return words
}
