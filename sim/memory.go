package sim

import (
	"encoding/binary"
	"sort"
)

// What a process remembers from one run of its handler to the next. It belongs
// to one process and crosses no boundary, so it is no step and cannot fail; it
// dies with the process.

// memory is what a process remembers under a name.
type memory struct {
	name  ValueID
	value ValueID
	label labelID // the intent that its writer worked for
}

func encodeMemory(b []byte, list []memory) []byte {
	b = append(b, byte(len(list)))
	for _, m := range list {
		b = binary.AppendUvarint(b, uint64(m.name))
		b = append(binary.AppendUvarint(b, uint64(m.value)), byte(m.label))
	}
	return b
}

// recall is what a process remembers under a name, or else what the call says.
func (x *step) recall(p int, c *Call) Answer {
	x.unlikeOthers(p)
	for _, m := range x.proc(p).memory {
		if m.name == c.Key {
			if pr := x.proc(p); pr.label == 0 && !pr.mixed && m.label > 0 {
				x.change(p, func(pr *process) { pr.label = m.label }) // otherwise it knows whom it works for
			}
			return Answer{Value: m.value}
		}
	}
	return Answer{Value: c.Body}
}

// store keeps a value under a name.
func (x *step) store(p int, c *Call) {
	vals := x.w.sc.Values
	var list []memory
	label := labelID(0)
	if pr := x.proc(p); !pr.mixed && (x.w.hosted(p) || x.w.sc.Processes[p].Kind == Job) {
		label = pr.label // a run that is told of nobody may read it
	}
	for _, m := range x.proc(p).memory {
		if m.name != c.Key {
			list = append(list, m)
		} else if m.value == c.Body && m.label == label {
			return
		}
	}
	list = append(list, memory{c.Key, c.Body, label})
	sort.Slice(list, func(i, j int) bool { return vals.Less(list[i].name, list[j].name) })
	if x.w.hosted(p) {
		x.shared(p, list)
		return
	}
	x.change(p, func(pr *process) { pr.memory = list })
	x.runsAgain(p)
}

// runsAgain tells a job that its present run may come out otherwise next time.
func (x *step) runsAgain(p int) {
	if x.w.sc.Processes[p].Kind != Job {
		return
	}
	f, i := x.w.member(p)
	x.changeFront(f, func(c *front) {
		c.runs[i].restless = true
		c.runs[i].trim()
	})
}

// unlikeOthers notes that a run depends on which of a job's processes makes it.
func (x *step) unlikeOthers(p int) {
	if decl := &x.w.sc.Processes[p]; decl.Kind == Job && len(x.w.sc.Fronts[decl.Front].Members) > 1 {
		x.runsAgain(p)
	}
}

// Free choices: what a text leaves open, as how long some work takes. Each
// option is a step of its own, and none is a fault.

// choose lists the options of a free choice.
func (w *World) choose(x *step, p int, c *Call) {
	name := w.callName(x, p, c)
	for _, f := range w.sc.Values.Get(c.Body).Fields {
		x.open()
		a := Answer{Value: f.Value}
		x.called(p, c, a, NoFault)
		x.runsAgain(p)
		x.answer(p, a)
		x.close(Outcome{Name: name + " " + w.sc.Values.Plain(f.Value), Proc: int16(p)})
	}
}

// options lists what a free choice can come out as.
func options(sc *Scenario, c *Call) []Answer {
	var list []Answer
	for _, f := range sc.Values.Get(c.Body).Fields {
		list = append(list, Answer{Value: f.Value})
	}
	return list
}
