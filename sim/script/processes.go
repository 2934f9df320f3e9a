package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

func processBindings() []Binding {
	return []Binding{
		{
			Name: "intent", Where: whereTop, do: declareIntent, Result: "the intent, for service(intents = [...])",
			Doc:    "One wish of the business. Handlers see its id and its fields; that it is one wish is known to the observer alone. Two intents may share an id.",
			Fields: "the body of the request",
			Params: []Param{
				{Name: "id", Type: "id"},
				{Name: "promised", Type: "yes/no", Default: "False", Doc: "Whether it is promised from the start, not only when accept is sent."},
				{Name: "wants", Type: "list or dict of places", Default: "one in each", Doc: "How many effects it wants, and where: [\"store.totals\"], {\"mail\": 2}. Places that are not named: none."},
				{Name: "name", Type: "text", Default: "None", Doc: "What reports call it; otherwise its id, numbered where two share one."},
			},
		},
		{
			Name: "service", Where: whereTop, do: declareService,
			Doc: "A process that takes requests, by itself in order and one at a time. A caller that is told nothing, because the handler crashed, failed, ended or the answer got lost, can ask again; one that was refused has its answer.",
			Params: append([]Param{
				{Name: "handler", Type: "function"},
				{Name: "intents", Type: "list of intents"},
				{Name: "name", Type: "name", Default: "\"publisher\""},
				{Name: "concurrent", Type: "number of processes", Default: "1", Doc: "How many requests it serves at once: name#1, name#2, ..."},
				{Name: "at", Type: "text", Default: "\"in_order\"", Doc: "in_order: one after the other, at once; any_time: each at a moment of the schedule's choosing, or never."},
				{Name: "retries", Type: "number of retries", Default: "0", Doc: "How often a caller asks again that was told nothing."},
				{Name: "after", Type: "seconds", Default: "5", Doc: "How long it waits before it asks again."},
				{Name: "patience", Type: "seconds", Default: "0", Doc: "How long a caller waits for its answer; then it was told nothing, whatever the handler still does. 0: as long as it takes."},
				{Name: "identity", Type: "text", Default: "\"same\"", Doc: "Whether a repeated request has the same operation id, or a new one (work-1~2) although it is the same wish."},
			}, lifeParams()...),
		},
		{
			Name: "consumer", Where: whereTop, do: declareConsumer,
			Doc: "Processes that take deliveries from a queue, or records from a log: worker1, worker2, ...",
			Params: append([]Param{
				{Name: "handler", Type: "function"},
				{Name: "queue", Type: "queue or log"},
				{Name: "replicas", Type: "number of processes", Default: "1"},
				{Name: "slots", Type: "number of threads", Default: "1", Doc: "Of a queue: how many deliveries each process works on at once: worker1#1, worker1#2, ... They live in one process, as in a host; a prefetch is one of each."},
				{Name: "name", Type: "name", Default: "\"worker\"", Doc: "The name that the processes' numbers are put to."},
				{Name: "on_return", Type: "text", Default: "\"nothing\"", Doc: "What the runtime does for a handler that returned without settling: nothing, ack, requeue, reject, close (the connection) or exit (the process)."},
				{Name: "on_error", Type: "text", Default: "by queue", Doc: "The same for a handler that failed. Of a log: retry reads again from the committed offset, skip goes on; retry unless set."},
				{Name: "claim_idle", Type: "seconds", Default: "0", Doc: "Of a queue like redis-streams: before it reads what is new, the client claims entries that others have held for so long; 0: it claims none."},
			}, append(append(clientParams(), logParams()...), lifeParams()...)...),
		},
	}
}

func declareIntent(c *invocation) (starlark.Value, error) {
	l := c.load
	id := c.id("id")
	body := c.body()
	promised := c.flag("promised", false)
	if c.err != nil {
		return nil, c.err
	}
	if len(l.sc.Intents) >= maxIntents {
		return nil, mistake("limit-intents", fmt.Sprintf("a scenario has at most %d intents", maxIntents), "Leave some out: two or three show most faults.")
	}
	name, shared := id, 1
	if c.value("name") != nil {
		name = c.id("name")
	} else {
		for _, other := range l.sc.Intents {
			if l.sc.Values.Plain(other.Op) == id {
				shared++
			}
		}
		if shared > 1 {
			name = fmt.Sprintf("%s (%d)", id, shared)
		}
	}
	for _, other := range l.sc.Intents {
		if other.Name == name {
			c.wrong("name", "name-taken", "an intent is called "+name+" already", "Give each intent a name of its own.")
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	l.sc.Intents = append(l.sc.Intents, sim.Intent{Name: name, Op: l.sc.Values.Str(id), Body: body, Promised: promised})
	l.usedIntent = append(l.usedIntent, false)
	c.wants(len(l.sc.Intents) - 1)
	if c.err != nil {
		return nil, c.err
	}
	return &intentDecl{plain: plain{"intent"}, index: len(l.sc.Intents) - 1}, nil
}

// addProcess adds a process if its name is free.
func (c *invocation) addProcess(p sim.Process) {
	l := c.load
	if len(l.sc.Processes) >= maxProcesses {
		c.wrong("replicas", "limit-processes", fmt.Sprintf("a scenario has at most %d processes", maxProcesses), "Two workers show what many would.")
		return
	}
	for _, other := range l.sc.Processes {
		if other.Name == p.Name {
			c.wrong("name", "name-taken", "a process is called "+p.Name+" already", "Say which is which: name = \"...\".")
			return
		}
	}
	if p.Host > 0 {
		h := &l.sc.Hosts[p.Host-1]
		h.Members = append(h.Members, len(l.sc.Processes))
	}
	l.sc.Processes = append(l.sc.Processes, p)
}

func declareService(c *invocation) (starlark.Value, error) {
	p := sim.Process{Kind: sim.Service, Queue: -1, Front: -1, Name: c.name("name", "publisher")}
	f, n := c.callers()
	f.Name = p.Name
	p.Handler = c.addHandler(handler{queue: givenRequest})
	p.Life = c.life()
	c.livesIn(&p)
	p.Requests = c.intents()
	if c.err == nil {
		fn := c.load.sc.handlers[p.Handler].fn
		p.Answers = c.src.reaches(fn, "accept") || c.src.reaches(fn, "refuse")
		if n == 1 && f.Callers == (sim.Callers{}) {
			c.addProcess(p)
		} else {
			c.addFront(f, p, n)
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	return starlark.None, nil
}

// callers reads how the callers of a service behave, and how many it serves at
// once.
func (c *invocation) callers() (sim.Front, int) {
	f := sim.Front{Kind: sim.Service}
	f.Callers.AnyTime = c.choice("at", 0, "in_order", "any_time") == 1
	f.Callers.Retries = c.count("retries", "retries", 0, 0, maxFaults)
	f.Callers.Patience = c.seconds("patience", 0)
	f.Callers.NewID = c.choice("identity", 0, "same", "new") == 1 && f.Callers.Retries > 0
	if after := c.seconds("after", 5); f.Callers.Retries > 0 {
		f.Callers.After = after
	}
	return f, c.count("concurrent", "processes", 1, 1, maxProcesses)
}

// intents reads the list of a service's requests.
func (c *invocation) intents() []int {
	list, ok := c.value("intents").(starlark.Iterable)
	if !ok || starlark.Len(list) == 0 {
		c.wrong("intents", "bad-type", "intents of service is a list of intents, not "+describe(c.value("intents")), "Write intents = [intent(\"work-1\", amount = 100)].")
		return nil
	}
	var requests []int
	it := list.Iterate()
	defer it.Done()
	var item starlark.Value
	for it.Next(&item) {
		in, ok := item.(*intentDecl)
		if !ok {
			c.wrong("intents", "bad-type", describe(item)+" is no intent", "Write intents = [intent(\"work-1\", amount = 100)].")
			return nil
		}
		if c.load.usedIntent[in.index] {
			c.wrong("intents", "intent-twice", "the intent "+c.load.sc.Intents[in.index].Name+" is requested already: an intent is one wish, requested once",
				"Write intent(...) again with the same id for a second wish, or publish twice in the handler.")
			return nil
		}
		c.load.usedIntent[in.index] = true
		requests = append(requests, in.index)
	}
	return requests
}

func declareConsumer(c *invocation) (starlark.Value, error) {
	q, ok := c.value("queue").(*party)
	if !ok || q.kind != kindQueue && q.kind != kindLog {
		c.wrong("queue", "bad-type", "queue of consumer is a queue or a log, not "+describe(c.value("queue")), "Declare it first: jobs = queue(\"jobs\").")
		return nil, c.err
	}
	name := c.name("name", "worker")
	replicas := c.count("replicas", "processes", 1, 1, maxProcesses)
	p := sim.Process{
		Kind:  sim.Consumer,
		Front: -1,
		Queue: int(q.index),
	}
	var group *sim.Group
	if q.kind == kindLog {
		c.onlyOfQueues()
		group = c.logReader(q, &p)
	} else {
		c.onlyOfLogs()
		p.Client = c.client(&c.load.sc.Queues[q.index])
		if p.ClaimIdle = c.seconds("claim_idle", 0); p.ClaimIdle > 0 {
			c.claimsIdle(q.index, p.ClaimIdle)
		}
		p.OnReturn, p.OnError = c.rule("on_return", sim.RuleNothing), c.rule("on_error", sim.RuleProfile)
		c.rejects(&c.load.sc.Queues[q.index], "on_return", p.OnReturn)
		c.rejects(&c.load.sc.Queues[q.index], "on_error", p.OnError)
	}
	p.Handler = c.addHandler(handler{queue: int16(p.Queue), batch: p.Batch > 0, auto: p.AutoAck})
	holding := handler{queue: givenNothing}
	if q.kind != kindLog {
		holding = handler{queue: int16(p.Queue), batch: true, auto: p.AutoAck}
	}
	p.Life = c.lifeWith(holding)
	c.livesIn(&p)
	slots := c.slots(q, replicas)
	for i := 0; i < replicas*slots && c.err == nil; i++ {
		p.Name = fmt.Sprintf("%s%d", name, i/slots+1)
		if slots > 1 {
			if i%slots == 0 && c.value("host") == nil {
				p.Host = c.slotHost(p.Name)
			}
			p.Name = fmt.Sprintf("%s#%d", p.Name, i%slots+1)
		}
		if c.addProcess(p); group != nil {
			group.Members = append(group.Members, len(c.load.sc.Processes)-1)
		}
	}
	if c.err == nil && group != nil {
		log := &c.load.sc.Logs[q.index]
		log.Groups = append(log.Groups, *group)
	}
	if c.err != nil {
		return nil, c.err
	}
	return starlark.None, nil
}

// slots reads how many deliveries each process of a consumer works on at once.
func (c *invocation) slots(q *party, replicas int) int {
	n := c.count("slots", "threads", 1, 1, maxProcesses)
	switch {
	case n > 1 && q.kind == kindLog:
		c.wrong("slots", "not-a-log", "a reader of a log works on what it polls, one after the other", "Write batch = 10 for the most records of one poll, or replicas = 2 for a second reader.")
	case replicas > 1 && c.value("host") != nil:
		c.wrong("replicas", "one-host", "replicas are processes of their own, so they can't live in one", "Write slots = 2 for two threads of one process.")
	}
	return n
}
