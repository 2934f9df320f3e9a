package sim

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
	nodes  []memoNode
	next   []int32  // the children of all nodes, plus one
	packed []uint32 // the outcomes of all leaves, for searching
	leafs  []leaf
}

// memoNode is a branching point or a leaf, in one small word run each, since
// searching looks at little else.
//
// Invariant: with slot >= 0, next[base:base+size] is indexed by the number in
// that slot and holds the child plus one. With slot == isLeaf, the outcomes
// stand in packed[base:base+size], and leafs[leaf] has them in full. With slot
// == isNew, nothing is known yet.
type memoNode struct {
	slot int32
	leaf int32
	base int32
	size int32
}

const (
	isNew  = -1
	isLeaf = -2
)

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
	if node := g.walk(s); node != nil {
		return &g.leafs[node.leaf]
	}
	return nil
}

// walk goes down to the leaf for a state, or returns nil.
func (g *group) walk(s State) *memoNode {
	node := &g.nodes[0]
	for node.slot >= 0 {
		id := s[node.slot]
		if id >= uint32(node.size) {
			return nil
		}
		child := g.next[uint32(node.base)+id]
		if child == 0 {
			return nil
		}
		node = &g.nodes[child-1]
	}
	if node.slot == isNew {
		return nil
	}
	return node
}

func newGroup(run func(*step)) *group {
	return &group{run: run, nodes: []memoNode{{slot: isNew}}}
}

// work runs the rules on a state and adds the path and the leaf.
func (g *group) work(w *World, s State) *leaf {
	x := &step{w: w, base: s, tracking: true}
	g.run(x)
	n := int32(0)
	for _, slot := range x.reads {
		n = g.child(n, int32(slot), s[slot])
	}
	node := &g.nodes[n]
	if node.slot >= 0 {
		panic("sim: a rule read different slots for the same contents")
	}
	node.slot, node.leaf, node.base = isLeaf, int32(len(g.leafs)), int32(len(g.packed))
	for _, o := range x.outcomes {
		g.packed = o.pack(g.packed)
	}
	node.size = int32(len(g.packed)) - node.base
	g.leafs = append(g.leafs, leaf{outcomes: x.outcomes, mask: x.mask, err: x.err})
	return &g.leafs[len(g.leafs)-1]
}

// child returns the node below n for a number in a slot, adding it if new.
func (g *group) child(n, slot int32, id uint32) int32 {
	node := &g.nodes[n]
	switch node.slot {
	case isNew:
		node.slot = slot
	case slot:
	default:
		panic("sim: a rule read different slots for the same contents")
	}
	if id >= uint32(node.size) {
		g.widen(node, int32(id)+1)
	}
	at := node.base + int32(id)
	if g.next[at] == 0 {
		g.nodes = append(g.nodes, memoNode{slot: isNew})
		g.next[at] = int32(len(g.nodes))
	}
	return g.next[at] - 1
}

// widen gives a node room for more children, at the end of all.
func (g *group) widen(node *memoNode, size int32) {
	size = max(size, 2*node.size)
	old := g.next[node.base : node.base+node.size]
	node.base, node.size = int32(len(g.next)), size
	g.next = append(g.next, old...)
	g.next = append(g.next, make([]int32, int(size)-len(old))...)
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
