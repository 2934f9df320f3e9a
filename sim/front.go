package sim

import "encoding/binary"

// A front starts the handlers of a group of processes: it is the clock of a
// job, the person who is an operator, or the callers of a service where they
// do more than ask once. A scenario without them has none, and no slot for one.

// Front is what starts the handlers of some processes.
type Front struct {
	Name    string
	Kind    ProcessKind // not Consumer
	Members []int       // its processes
	Every   Seconds     // Job: from one tick to the next
	First   Seconds     // Job: when the first tick comes
	Times   int         // Operator, Job: how often; Job: 0 means without end
	Callers Callers     // Service
}

// front is what a front is at a moment.
type front struct {
	timer   Seconds  // Job: time left until the next tick; 0: due now
	asleep  bool     // Job: the last run changed nothing, and nothing that it read has changed since
	watch   uint64   // asleep: the slots that the last run read
	runs    []run    // Job: by member
	acts    uint8    // Operator, and a Job that is started only so often: how often it may still be
	next    uint8    // Service: the request that is taken next, where they come in order
	held    uint64   // Service: the requests that have not come, where they come at any time
	callers []caller // Service: by request
	serving []uint8  // Service: by member, whose caller waits for it: request plus one
}

// run is what the running handler of a job has done so far. That it changed
// something, or met with something that may come out otherwise another time,
// makes it forget what it read: nobody needs that any more.
type run struct {
	seen     uint64 // slots that it has read
	restless bool   // it has to run again
}

func (f *front) encode(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(f.timer))
	b = append(b, flag(f.asleep), f.acts, byte(len(f.runs)))
	b = binary.AppendUvarint(b, f.watch)
	for _, r := range f.runs {
		b = append(b, flag(r.restless))
		b = binary.AppendUvarint(b, r.seen)
	}
	b = append(b, f.next, byte(len(f.callers)))
	b = binary.AppendUvarint(b, f.held)
	for _, c := range f.callers {
		b = append(b, c.request, c.try, byte(c.mood))
		b = binary.AppendUvarint(b, uint64(c.timer))
	}
	b = append(b, f.serving...)
	return b
}

func (x *step) front(f int) *front { return x.w.fronts.items[x.read(x.w.firstFront+f)] }
func (x *step) setFront(f int, c *front) {
	x.write(x.w.firstFront+f, x.w.fronts.intern(c, x.w.scratch))
}

// changeFront copies a front, lets f change the copy and stores it.
func (x *step) changeFront(i int, f func(*front)) {
	c := *x.front(i)
	c.runs = append([]run(nil), c.runs...)
	c.callers = append([]caller(nil), c.callers...)
	c.serving = append([]uint8(nil), c.serving...)
	f(&c)
	x.setFront(i, &c)
}

// member is a process's place in its front.
func (w *World) member(p int) (f, i int) {
	f = w.sc.Processes[p].Front
	for i, m := range w.sc.Fronts[f].Members {
		if m == p {
			return f, i
		}
	}
	panic("sim: a process is no member of its front")
}

// beginFronts is the fronts before the first step.
func (x *step) beginFronts() {
	for f, decl := range x.w.sc.Fronts {
		c := &front{timer: decl.First, acts: uint8(decl.Times)}
		switch decl.Kind {
		case Job:
			c.runs = make([]run, len(decl.Members))
		case Service:
			c.serving = make([]uint8, len(decl.Members))
			if decl.Callers.AnyTime {
				c.held = 1<<len(x.requests(f)) - 1
			}
		}
		x.setFront(f, c)
	}
}
