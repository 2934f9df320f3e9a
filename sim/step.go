package sim

// step is the one way in which rules see and change a state. Reads go through
// the accessors, which note each slot of the base state that is looked at for
// the first time; writes go to the outcome that is being built.
type step struct {
	w        *World
	base     State
	cur      State // the outcome being built; nil between outcomes
	tracking bool
	seen     uint64
	reads    []uint8
	outcomes []Outcome
	mask     uint64
	moved    State  // the outcome once the clock had moved; empty where it did not
	woken    uint64 // see wakeJobs
	err      error
	late     *labelID // a late request arrives: whose it is

	imagining bool // what happens is only tried out, see imagine

	record bool // collect events for the picture
	events []Event
	only   string // when recording: the name of the outcome that is wanted
	found  bool
	final  State
	kept   []Event
}

// open begins a new outcome from the base state.
func (x *step) open() {
	if x.cur == nil {
		x.cur = make(State, len(x.base))
	}
	copy(x.cur, x.base)
	x.events = x.events[:0]
	x.moved, x.woken = x.moved[:0], 0
}

// close ends the outcome: its changed slots become its writes. kind, fault and
// proc tell the reader what it is.
func (x *step) close(o Outcome) {
	if len(x.w.sc.Fronts) > 0 {
		x.stir(int(o.Proc))
	}
	if x.record {
		if o.Name == x.only && !x.found {
			x.found = true
			x.final = append(State(nil), x.cur...)
			x.kept = append([]Event(nil), x.events...)
			for i := range x.kept {
				x.kept[i].Fault = o.Fault
			}
		}
	}
	for i, id := range x.cur {
		if id != x.base[i] {
			o.Writes = append(o.Writes, SlotWrite{Slot: int32(i), ID: id})
		}
	}
	x.outcomes = append(x.outcomes, o)
	copy(x.cur, x.base)
}

func (x *step) read(slot int) uint32 {
	if x.tracking && x.seen&(1<<slot) == 0 {
		x.seen |= 1 << slot
		x.reads = append(x.reads, uint8(slot))
	}
	if x.cur != nil {
		return x.cur[slot]
	}
	return x.base[slot]
}

// write changes a slot of the outcome. A slot counts as read first: what the
// base holds decides whether it is changed at all.
func (x *step) write(slot int, id uint32) {
	x.read(slot)
	x.cur[slot] = id
}

func (x *step) proc(p int) *process { return x.w.processes.items[x.read(x.w.firstProc+p)] }
func (x *step) setProc(p int, c *process) {
	x.write(x.w.firstProc+p, x.w.processes.intern(c, x.w.scratch))
}

func (x *step) queue(q int) *queue { return x.w.queues.items[x.read(x.w.firstQ+q)] }
func (x *step) setQueue(q int, c *queue) {
	x.write(x.w.firstQ+q, x.w.queues.intern(c, x.w.scratch))
}

func (x *step) locks(d int) *locks { return x.w.locks.items[x.read(x.w.firstLock+d)] }
func (x *step) setLocks(d int, c *locks) {
	x.write(x.w.firstLock+d, x.w.locks.intern(c, x.w.scratch))
}

func (x *step) table(d, t int) *table { return x.w.tables.items[x.read(x.w.tableSlot[d][t])] }
func (x *step) setTable(d, t int, c *table) {
	x.write(x.w.tableSlot[d][t], x.w.tables.intern(c, x.w.scratch))
}

func (x *step) mailbox(p int) *mailbox { return x.w.mailboxes.items[x.read(x.w.firstMail+p)] }
func (x *step) setMailbox(p int, c *mailbox) {
	x.write(x.w.firstMail+p, x.w.mailboxes.intern(c, x.w.scratch))
}

func (x *step) budget() *budget { return x.w.budgets.items[x.read(slotBudget)] }
func (x *step) setBudget(c *budget) {
	x.write(slotBudget, x.w.budgets.intern(c, x.w.scratch))
}

func (x *step) ghost() *ghost { return x.w.ghosts.items[x.read(slotGhost)] }
func (x *step) setGhost(c *ghost) {
	x.write(slotGhost, x.w.ghosts.intern(c, x.w.scratch))
}

// change copies a process, lets f change the copy and stores it.
func (x *step) change(p int, f func(*process)) {
	c := *x.proc(p)
	f(&c)
	x.setProc(p, &c)
}

// changeQueue does the same for a queue, with messages of its own.
func (x *step) changeQueue(q int, f func(*queue)) {
	old := x.queue(q)
	c := &queue{messages: append([]message(nil), old.messages...), known: old.known, gone: old.gone}
	f(c)
	if x.w.sc.Queues[q].RepeatsKey {
		x.w.dropKept(q, c)
	}
	if len(c.messages) == 1 && c.messages[0].holder == 0 {
		c.messages[0].front = false // nothing is there that it could be before
	}
	x.setQueue(q, c)
}

// changeIntent does the same for what the observer knows of an intent.
func (x *step) changeIntent(label labelID, f func(*intentGhost)) {
	if label == 0 {
		return
	}
	old := x.ghost()
	c := &ghost{intents: append([]intentGhost(nil), old.intents...)}
	i := &c.intents[label-1]
	i.effects = append([]uint8(nil), i.effects...)
	f(i)
	x.setGhost(c)
}

func (x *step) emit(e Event) {
	if x.record {
		x.events = append(x.events, e)
	}
}
