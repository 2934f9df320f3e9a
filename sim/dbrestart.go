package sim

// A restart of a database server, as a fault. What is committed stays; every
// connection ends, and with it open transactions, their locks and the locks of
// sessions (PostgreSQL, 19.5 Shutting Down the Server: fast and immediate). A
// connection on which nothing is open ends unseen: its next statement goes over
// a new one.

// databaseRestarts lists the databases whose restart would end something.
func (w *World) databaseRestarts(x *step) {
	if x.budget().total == 0 || x.budget().left[DatabaseRestart] == 0 {
		return
	}
	for d := range w.sc.Databases {
		decl := &w.sc.Databases[d]
		if decl.Boundary == InProcess || w.sc.Faults.Scoped && !w.sc.Faults.Databases[d] {
			continue
		}
		var cut []int
		for p := range w.sc.Processes {
			if _, open := x.tx(p, d); open && !x.txBroken(p, d) || x.holdsNamed(p, d) {
				cut = append(cut, p)
			}
		}
		if len(cut) == 0 {
			continue
		}
		x.strike(DatabaseRestart, -1, decl.Name+" restart", func() {
			x.emit(Event{Kind: EventReopened, Proc: -1, Database: int16(d)})
			for _, p := range cut {
				x.disconnect(p, partyDatabase, d)
			}
		})
	}
}
