package sim

// Operators: handlers that a person starts, at any moment and a few times in
// all. That a person comes is nothing that one may count on, so starting holds
// no clock, keeps no run from rest and brings nothing about that would
// otherwise be hopeless. What is started goes on by itself.

// OperatorAct stands where a kind of fault does on the step in which a person
// starts something. It is no misfortune and is taken from no budget of faults.
const OperatorAct FaultKind = 255

// Strikes tells whether this is a misfortune.
func (k FaultKind) Strikes() bool { return k != NoFault && k != OperatorAct }

// operatorSteps lists what a person can do.
func (w *World) operatorSteps(f int) func(*step) {
	decl := &w.sc.Fronts[f]
	p := decl.Members[0]
	return func(x *step) {
		if x.front(f).acts == 0 || x.proc(p).node != 0 {
			return
		}
		x.open()
		x.changeFront(f, func(c *front) { c.acts-- })
		x.startRun(p)
		x.close(Outcome{Name: decl.Name + " start", Fault: OperatorAct, Kind: StepOperator, Proc: int16(p)})
	}
}
