package explore

import (
	"context"
	"fmt"
	"testing"

	"github.com/ackademy/ackademy/sim"
)

// toyProgram is the three handlers of the reference model written down node by
// node, so that the world and the search can be tested without a front end.
type toyProgram struct {
	variant string
	vals    *sim.Values
	calls   []*sim.Call
	names   map[string]sim.Node
	keys    []string
}

func (t *toyProgram) node(key string, c *sim.Call) sim.Node {
	if n, ok := t.names[key]; ok {
		return n
	}
	t.calls = append(t.calls, c)
	t.keys = append(t.keys, key)
	n := sim.Node(len(t.calls))
	t.names[key] = n
	return n
}

func (t *toyProgram) Call(n sim.Node) *sim.Call { return t.calls[n-1] }

func (t *toyProgram) Start(h sim.HandlerID, in sim.Input) sim.Node {
	if h == 0 {
		return t.at("publish", in.Op)
	}
	if t.variant == "ack-first" {
		return t.at("ack", in.Op)
	}
	return t.at("begin", in.Op)
}

func (t *toyProgram) at(what string, op sim.ValueID) sim.Node {
	c := &sim.Call{Party: 0, Table: -1, InTx: true}
	switch what {
	case "publish":
		c.Verb, c.Op, c.Body, c.InTx = sim.VerbPublish, op, t.vals.Record(nil), false
	case "begin":
		c.Verb = sim.VerbBegin
	case "insert":
		c.Verb, c.Table, c.Key, c.Body = sim.VerbInsert, 0, op, t.vals.Record([]sim.Field{{Name: "id", Value: op}})
	case "apply":
		c.Verb, c.Table, c.Body = sim.VerbInsert, 1, t.vals.Record([]sim.Field{{Name: "op", Value: op}})
	case "commit":
		c.Verb = sim.VerbCommit
	case "rollback":
		c.Verb = sim.VerbRollback
	case "ack":
		c.Verb, c.InTx = sim.VerbAck, false
	case "end":
		c.Verb, c.Party, c.InTx = sim.VerbEnd, -1, false
	}
	return t.node(fmt.Sprintf("%s %d", what, op), c)
}

func (t *toyProgram) Next(n sim.Node, a sim.Answer) sim.Node {
	var what string
	var op sim.ValueID
	fmt.Sscanf(t.keys[n-1], "%s %d", &what, &op)
	after := map[string]string{"publish": "end", "begin": "insert", "insert": "apply", "apply": "commit", "commit": "ack",
		"rollback": "ack", "ack": "end"}
	switch t.variant {
	case "naive":
		after["begin"] = "apply"
	case "ack-first":
		after["ack"], after["commit"], after["rollback"] = "begin", "end", "end"
	}
	if what == "insert" && a.Value == sim.False {
		return t.at("rollback", op)
	}
	return t.at(after[what], op)
}

func toyWorld(variant string, single bool, m, c, k, t int) *sim.World {
	vals := sim.NewValues()
	sc := &sim.Scenario{Name: variant, Values: vals, Handlers: []string{"request", "handle"}}
	sc.Program = &toyProgram{variant: variant, vals: vals, names: map[string]sim.Node{}}
	sc.Queues = []sim.Queue{{Name: "q", Boundary: sim.Connection, DisconnectRequeues: true, DeadLetter: -1}}
	iso := sim.ReadCommitted
	if single {
		iso = sim.SingleWriter
	}
	sc.Databases = []sim.Database{{Name: "store", Isolation: iso, Tables: []sim.Table{
		{Name: "inbox", Key: "id", Role: sim.RoleMarker}, {Name: "totals", Role: sim.RoleEffect}}}}
	svc := sim.Process{Name: "publisher", Kind: sim.Service}
	for i := range m {
		sc.Intents = append(sc.Intents, sim.Intent{Name: fmt.Sprint("work-", i+1), Op: vals.Str(fmt.Sprint("work-", i+1)), Body: vals.Record(nil), Promised: true})
		svc.Requests = append(svc.Requests, i)
	}
	sc.Processes = []sim.Process{svc}
	scope := []bool{false}
	for i := range c {
		sc.Processes = append(sc.Processes, sim.Process{Name: fmt.Sprint("worker", i+1), Kind: sim.Consumer, Handler: 1})
		scope = append(scope, true)
	}
	sc.Faults = sim.Faults{Total: k + t, Scoped: true, Processes: scope, Queues: []bool{false}, Databases: []bool{false}}
	sc.Faults.Limit[sim.Crash], sc.Faults.Limit[sim.EarlyExpiry] = k, t
	return sim.New(sc)
}

func TestToy(t *testing.T) {
	for _, row := range []struct {
		variant             string
		single              bool
		m, c, k, t          int
		states, transitions int
	}{
		{"dedupe", false, 1, 1, 0, 0, 8, 7},
		{"dedupe", false, 1, 2, 1, 1, 197, 441},
		{"dedupe", false, 2, 2, 2, 1, 3511, 11299},
		{"dedupe", true, 2, 2, 2, 1, 2667, 7773},
		{"naive", false, 2, 2, 2, 1, 5533, 15617},
		{"naive", true, 2, 3, 2, 2, 60183, 215732},
		{"ack-first", false, 2, 3, 1, 1, 5352, 19133},
		{"ack-first", true, 3, 3, 1, 1, 29611, 104697},
		{"dedupe", false, 3, 3, 2, 2, 556766, 2836685},
		{"dedupe", false, 4, 3, 2, 2, 3789268, 19934234},
	} {
		r, err := Run(context.Background(), toyWorld(row.variant, row.single, row.m, row.c, row.k, row.t), Options{MaxStates: 20e6, MaxBytes: 16 << 30})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v states %d transitions %d depth %d lost %v dup %v goal %v bytes/state %d elapsed %v judging %v", row, r.States, r.Transitions, r.Depth,
			len(r.Findings[sim.Lost].Schedule), len(r.Findings[sim.Duplicated].Schedule), r.Findings[sim.DoneOnce].Status, r.Bytes/int64(r.States), r.Elapsed, r.Judging)
		if r.States != row.states || r.Transitions != row.transitions {
			t.Errorf("%v: got %d %d", row, r.States, r.Transitions)
		}
	}
}
