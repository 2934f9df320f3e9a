package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// Processes that a clock or a person starts.

// maxRuns bounds how often a job can be said to start.
const maxRuns = 200

func jobBindings() []Binding {
	operator := Binding{
		Name: "operator", Where: whereTop, do: declareOperator,
		Doc:    "A person who starts a handler, at any moment. The handler takes no parameter. Nobody can count on a person: a run is at rest without, and what only a person would bring counts as lost.",
		Stands: "a script that somebody on call runs; a button in an admin page",
		Params: []Param{
			{Name: "handler", Type: "function"},
			{Name: "times", Type: "number of starts", Default: "1", Doc: "How often at most."},
			{Name: "name", Type: "name", Default: "\"operator\"", Doc: "What a schedule calls it. Several acts are several operators."},
		},
	}
	return []Binding{{
		Name: "job", Where: whereTop, do: declareJob,
		Doc:    "A process that a clock starts. Its handler takes no parameter. A run that changed nothing is not repeated until something that it read has changed. A tick that finds all processes of the job at work is skipped.",
		Stands: "cron; a loop that polls and sleeps; @Scheduled(fixedRate)",
		Params: append([]Param{
			{Name: "handler", Type: "function"},
			{Name: "every", Type: "seconds", Doc: "From one tick to the next; at least 1."},
			{Name: "overlap", Type: "number of processes", Default: "1", Doc: "How many runs there can be at once: name#1, name#2, ..."},
			{Name: "name", Type: "name", Default: "\"job\""},
			{Name: "first", Type: "seconds", Default: "0", Doc: "When the first tick comes."},
			{Name: "times", Type: "number of starts", Default: "0", Doc: "How often it is started; 0 means without end. For what would otherwise count or write for ever."},
		}, lifeParams()...),
	}, operator}
}

func declareJob(c *invocation) (starlark.Value, error) {
	f := sim.Front{
		Kind:  sim.Job,
		Name:  c.name("name", "job"),
		Every: sim.Seconds(c.whole("every", "bad-seconds", "seconds", 1, 1, maxSeconds)),
		First: c.seconds("first", 0),
		Times: c.count("times", "starts", 0, 0, maxRuns),
	}
	overlap := c.count("overlap", "processes", 1, 1, maxProcesses)
	p := sim.Process{Kind: sim.Job, Queue: -1, Handler: c.addHandler(handler{queue: givenNothing}), Life: c.life()}
	c.livesIn(&p)
	c.addFront(f, p, overlap)
	if c.err != nil {
		return nil, c.err
	}
	return starlark.None, nil
}

func declareOperator(c *invocation) (starlark.Value, error) {
	f := sim.Front{Kind: sim.Operator, Name: c.name("name", "operator"), Times: c.count("times", "starts", 1, 1, maxFaults)}
	c.addFront(f, sim.Process{Kind: sim.Operator, Queue: -1, Handler: c.addHandler(handler{queue: givenNothing})}, 1)
	if c.err != nil {
		return nil, c.err
	}
	return starlark.None, nil
}

// addFront adds what starts some processes, and the processes: one bears the
// front's name, several have numbers.
func (c *invocation) addFront(f sim.Front, p sim.Process, n int) {
	l := c.load
	for _, other := range l.sc.Fronts {
		if other.Name == f.Name {
			c.wrong("name", "name-taken", "a process is called "+f.Name+" already", "Say which is which: name = \"...\".")
		}
	}
	p.Front = len(l.sc.Fronts)
	for i := 1; i <= n && c.err == nil; i++ {
		p.Name = f.Name
		if n > 1 {
			p.Name = fmt.Sprintf("%s#%d", f.Name, i)
		}
		f.Members = append(f.Members, len(l.sc.Processes))
		c.addProcess(p)
	}
	if c.err == nil {
		l.sc.Fronts = append(l.sc.Fronts, f)
	}
}
