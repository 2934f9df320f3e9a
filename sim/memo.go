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
	run   func(x *step)
	nodes []memoNode
	leafs []leaf
}

// memoNode is a branching point. Invariant: slot >= 0 and next is indexed by
// the number in that slot, holding the child plus one; or slot < 0 and leaf is
// the result.
type memoNode struct {
	slot int32
	leaf int32
	next []int32
}

// leaf is the outcome of a group for the contents on the path to it.
type leaf struct {
	outcomes []Outcome
	mask     uint64 // for groups that judge: a set of bits
	err      error
}

// Outcome is one enabled step and what it changes.
type Outcome struct {
	Name   string    // as a schedule names it
	Fault  FaultKind // NoFault for a step that needs no misfortune
	Kind   StepKind
	Proc   int16 // the process that acts or is struck; -1 for a party's own act
	Waits  bool  // doesn't hold the clock (a wake)
	Writes []SlotWrite
}

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
)

var stepKindNames = [...]string{"call", "deliver", "timer", "wake", "fault"}

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
	n := int32(0)
	for {
		node := &g.nodes[n]
		if node.slot < 0 {
			if node.leaf >= 0 {
				return &g.leafs[node.leaf]
			}
			return nil
		}
		id := s[node.slot]
		if int(id) >= len(node.next) || node.next[id] == 0 {
			return nil
		}
		n = node.next[id] - 1
	}
}

func newGroup(run func(*step)) *group {
	return &group{run: run, nodes: []memoNode{{slot: -1, leaf: -1}}}
}

// work runs the rules on a state and adds the path and the leaf.
func (g *group) work(w *World, s State) *leaf {
	x := &step{w: w, base: s, tracking: true}
	g.run(x)
	n := int32(0)
	for _, slot := range x.reads {
		node := &g.nodes[n]
		if node.slot < 0 {
			if node.leaf >= 0 {
				panic("sim: a rule read different slots for the same contents")
			}
			node.slot = int32(slot)
		}
		id := s[slot]
		for int(id) >= len(node.next) {
			node.next = append(node.next, 0)
		}
		if node.next[id] == 0 {
			g.nodes = append(g.nodes, memoNode{slot: -1, leaf: -1})
			g.nodes[n].next[id] = int32(len(g.nodes))
		}
		n = g.nodes[n].next[id] - 1
	}
	g.leafs = append(g.leafs, leaf{outcomes: x.outcomes, mask: x.mask, err: x.err})
	g.nodes[n].leaf = int32(len(g.leafs) - 1)
	return &g.leafs[len(g.leafs)-1]
}
