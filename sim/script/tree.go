package script

// Handlers as trees of calls.
//
// A handler is a pure function of what it was told, so a place in it is the
// list of answers so far. Lists grow without need: after a loop of attempts,
// success at the first and at the fourth attempt leave the same program. Two
// lists are therefore one node if the same program remains: the same next
// call, and again so for every answer that the call can get.
//
// Where the possible answers of each call are a finite set that is known, this
// can be decided bottom-up: work out the children first, then look whether a
// node with this call and these children exists. That is what intern does, and
// it makes each finite subtree minimal. It costs one interpretation per list,
// so only maxReplays of them are spent per handler and input (and
// maxMergeSteps steps of the interpreter).
//
// Where the answers are not known beforehand (a row that is read, a fresh id),
// or the budget is spent, the list itself is the node; its children are worked
// out when the world asks for them. Two such nodes stay apart even if the same
// program remains. That makes a state space larger, never wrong.
//
// Numbers are handed out when a node is first needed. The world asks in an
// order of its own that is the same every time, so they are too.

import (
	"encoding/binary"
	"fmt"

	"github.com/ackademy/ackademy/sim"
)

// tree is the nodes of all handlers of a scenario. It implements sim.Program.
type tree struct {
	sc     *Scenario
	nodes  []node
	known  map[string]sim.Node
	starts map[startKey]*start
	sited  bool   // see WithSites
	sites  []Site // by node; only where sited
}

type startKey struct {
	handler sim.HandlerID
	in      sim.Input
}

// start is a handler with its input, and what was spent on it.
type start struct {
	startKey
	node    sim.Node
	replays int
	steps   uint64
}

// spent tells whether no more is to be found out about equal programs.
func (st *start) spent() bool { return st.replays >= maxReplays || st.steps >= maxMergeSteps }

// node is a place in a handler. Either next lists the child of each possible
// answer, or open says how to work children out.
type node struct {
	call    *sim.Call
	answers []sim.Answer
	next    []sim.Node
	open    *openNode
}

type openNode struct {
	start *start
	list  []sim.Answer
	next  map[sim.Answer]sim.Node
}

const fullNode sim.Node = 1 // where every path leads once the store is full

func newTree(sc *Scenario, sited bool) *tree {
	t := &tree{sc: sc, nodes: make([]node, 1), known: map[string]sim.Node{}, starts: map[startKey]*start{}, sited: sited}
	if sited {
		t.sites = make([]Site, 1)
	}
	full := sc.src.found("limit-nodes", place{}, fmt.Sprintf("the handlers have more than %d different places", maxNodes),
		"Use fewer intents, shorter loops or fewer different values.")
	if n := t.add(node{call: sc.mistakeCall(full)}, Site{}); n != fullNode {
		panic(fmt.Sprintf("script: the node of a full store is %d", n))
	}
	return t
}

// Start implements sim.Program.
func (t *tree) Start(h sim.HandlerID, in sim.Input) sim.Node {
	key := startKey{h, in}
	st := t.starts[key]
	if st == nil {
		st = &start{startKey: key}
		t.starts[key] = st
		st.node = t.grow(st, nil)
	}
	return st.node
}

// Call implements sim.Program.
func (t *tree) Call(n sim.Node) *sim.Call { return t.nodes[n].call }

// Next implements sim.Program. An answer that sim.PossibleAnswers does not
// list is a broken invariant of ours.
func (t *tree) Next(n sim.Node, a sim.Answer) sim.Node {
	at := &t.nodes[n]
	if at.open == nil {
		for i, possible := range at.answers {
			if possible == a {
				return at.next[i]
			}
		}
		panic(fmt.Sprintf("script: %s at node %d is answered %v, possible are %v", at.call.Verb, n, a, at.answers))
	}
	if next, ok := at.open.next[a]; ok {
		return next
	}
	open := at.open // grow may move the nodes
	next := t.grow(open.start, extend(open.list, a))
	open.next[a] = next
	return next
}

// extend returns a list with one more answer, sharing nothing.
func extend(list []sim.Answer, a sim.Answer) []sim.Answer {
	longer := make([]sim.Answer, len(list)+1)
	copy(longer, list)
	longer[len(list)] = a
	return longer
}

// grow returns the node that a list of answers leads to.
func (t *tree) grow(st *start, list []sim.Answer) sim.Node {
	if len(t.nodes) >= maxNodes {
		return fullNode
	}
	st.replays++
	call, steps := t.sc.replay(st.handler, st.in, list)
	st.steps += steps
	var site Site
	if t.sited {
		site = t.sc.lineSite(st.handler, st.in, list)
	}
	if call.Ends() {
		return t.intern(call, nil, nil, site)
	}
	answers, finite := sim.PossibleAnswers(t.sc.Scenario, call)
	if !finite || st.spent() {
		return t.add(node{call: call, open: &openNode{start: st, list: list, next: map[sim.Answer]sim.Node{}}}, site)
	}
	next := make([]sim.Node, len(answers))
	for i, a := range answers {
		next[i] = t.grow(st, extend(list, a))
	}
	return t.intern(call, answers, next, site)
}

func (t *tree) add(n node, site Site) sim.Node {
	t.nodes = append(t.nodes, n)
	if t.sited {
		t.sites = append(t.sites, site)
	}
	return sim.Node(len(t.nodes) - 1)
}

// intern returns the node with this call and these children; in a sited tree
// the place in the text counts too.
func (t *tree) intern(call *sim.Call, answers []sim.Answer, next []sim.Node, site Site) sim.Node {
	key := encodeNode(call, answers, next)
	if t.sited {
		key = fmt.Sprintf("%d:%d:%d;%s", site.Line, site.Col, site.Occurrence, key)
	}
	if n, ok := t.known[key]; ok {
		return n
	}
	n := t.add(node{call: call, answers: answers, next: next}, site)
	t.known[key] = n
	return n
}

// encodeNode is a node's identity: every field of the call, and the children
// by answer. TestEveryFieldOfACallIsIdentity changes each field.
func encodeNode(c *sim.Call, answers []sim.Answer, next []sim.Node) string {
	flags := byte(0)
	if c.InTx {
		flags |= 1
	}
	if c.Confirm {
		flags |= 2
	}
	b := []byte{byte(c.Verb), flags, byte(c.Code), byte(c.Mode), c.Place}
	for _, n := range []int64{int64(c.Party), int64(c.Table), int64(c.Of), int64(c.Op), int64(c.Key), int64(c.Ref), int64(c.Body), int64(c.Where), int64(c.Order), int64(c.Limit), int64(c.Seconds), int64(c.To), int64(len(c.Text))} {
		b = binary.AppendVarint(b, n)
	}
	b = encodePost(b, &c.Post)
	b = append(b, c.Text...)
	for i, a := range answers {
		b = append(b, byte(a.Code))
		b = binary.AppendUvarint(b, uint64(a.Value))
		b = binary.AppendUvarint(b, uint64(next[i]))
	}
	return string(b)
}

// encodePost adds what a publish says of its message; most calls say nothing.
func encodePost(b []byte, p *sim.Post) []byte {
	if *p == (sim.Post{}) {
		return append(b, 0)
	}
	flags := byte(1)
	for i, set := range []bool{p.Mandatory, p.Transient, p.Later} {
		if set {
			flags |= 2 << i
		}
	}
	b = append(b, flags, p.Nth)
	for _, n := range []int64{int64(p.Group), int64(p.ID), int64(p.Lifetime)} {
		b = binary.AppendVarint(b, n)
	}
	return b
}
