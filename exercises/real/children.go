package real

import (
	"fmt"
	"os"

	"github.com/ackademy/ackademy/sim"
)

// Starting, counting and ending the children of a run.

// startAll starts every process, so that they get ready at the same time.
func (r *referee) startAll() error {
	if r.options.Executable == "" {
		executable, err := os.Executable()
		if err != nil {
			return err
		}
		r.options.Executable = executable
	}
	if err := r.startParties(); err != nil {
		return err
	}
	for p := range r.scenario.Processes {
		r.workers = append(r.workers, &process{name: r.scenario.Processes[p].Name})
		if err := r.startWorker(p); err != nil {
			return err
		}
	}
	for _, c := range r.children() {
		if _, err := c.hear(r.ctx, isReady); err != nil {
			return err
		}
	}
	return nil
}

// startParties starts providers and database servers.
func (r *referee) startParties() error {
	for i := range r.scenario.Providers {
		decl := &r.scenario.Providers[i]
		p := party{name: decl.Name, socket: fmt.Sprintf("p%d", i+1), mailbox: fmt.Sprintf("mail%d.sqlite", i+1)}
		err := r.startChild(&p.child, roleProvider, p.name, &setup{Provider: decl, Socket: p.socket, Mailbox: p.mailbox})
		if err != nil {
			return err
		}
		r.providers = append(r.providers, p)
	}
	for d, db := range r.scenario.Databases {
		v := party{name: db.Name}
		if db.Boundary != sim.InProcess {
			v.socket = fmt.Sprintf("d%d", d+1)
			if err := r.startChild(&v.child, roleServer, v.name, &setup{Databases: r.databases[d : d+1], Socket: v.socket}); err != nil {
				return err
			}
		}
		r.servers = append(r.servers, v)
	}
	return nil
}

// startWorker starts a process; it is ready when it says so.
func (r *referee) startWorker(p int) error {
	w := r.workers[p]
	s := &setup{Process: w.name, File: r.scenario.Filename, Source: r.scenario.Source}
	if r.options.source != "" {
		s.Source = r.options.source
	}
	for d, db := range r.databases {
		if r.servers[d].socket != "" {
			db = dbSetup{Socket: r.servers[d].socket}
		}
		s.Databases = append(s.Databases, db)
	}
	for _, provider := range r.providers {
		s.Providers = append(s.Providers, provider.socket)
	}
	return r.startChild(&w.child, roleWorker, w.name, s)
}

func (r *referee) startChild(into **child, role, name string, s *setup) error {
	c, err := startChild(r.options.Executable, role, name, r.folder, r.options.Patience)
	if err != nil {
		return ourFault("starting "+name, err)
	}
	*into = c // before anything can fail: killAll must know it
	r.report.Started++
	// A child's own patience is longer, so that the referee, who can tell what
	// is wrong, loses his first.
	s.Patience = 2 * int64(r.options.Patience)
	return c.tell(r.ctx, &request{Do: doSetup, Setup: s})
}

// children lists those that are alive.
func (r *referee) children() []*child {
	var list []*child
	for _, parties := range [][]party{r.providers, r.servers} {
		for _, p := range parties {
			if p.child != nil && !p.child.dead {
				list = append(list, p.child)
			}
		}
	}
	for _, w := range r.workers {
		if w.child != nil && !w.child.dead {
			list = append(list, w.child)
		}
	}
	return list
}

// killAll kills everybody, idle or not: a commit must not need an orderly end.
func (r *referee) killAll() {
	all := r.children()
	for _, c := range all {
		_ = c.command.Process.Kill() // they die at the same time; kill reaps
	}
	for _, c := range all {
		r.kill(c)
	}
}

// kill kills a child. What it wrote to standard error, where nobody writes in
// a good run, is kept: a race or a panic that was survived shows there.
func (r *referee) kill(c *child) {
	c.kill()
	if said := c.says.String(); said != "" && r.noise == "" {
		r.noise = c.name + " complained: " + said
	}
}

// partiesAnswer asks each provider and database server for something that changes
// nothing. One that has ended or failed can't answer.
func (r *referee) partiesAnswer() error {
	ask := func(parties []party, something request) error {
		for _, p := range parties {
			if p.child == nil || p.child.dead {
				continue
			}
			if _, err := p.child.ask(r.ctx, &something, isDone); err != nil {
				return err
			}
		}
		return nil
	}
	if err := ask(r.providers, request{Do: doCount, Now: r.clock}); err != nil {
		return err
	}
	return ask(r.servers, request{Do: doGone}) // nobody has no name
}

// countRequests asks the providers how many requests came.
func (r *referee) countRequests() error {
	for i := range r.providers {
		p := &r.providers[i]
		said, err := p.child.ask(r.ctx, &request{Do: doCount, Now: r.clock}, isDone)
		if err != nil {
			return err
		}
		p.requests.Real, p.requests.RealRead = said.Arrived, said.Read
	}
	return nil
}
