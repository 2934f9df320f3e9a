package main

import (
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/profile"
)

const profileHelp = `
Shows how a real system is imitated: for each knob of the scenario language the
value, the fact behind it and the source of the fact. Every knob can be
overridden in a scenario.

  ackademy profile                    lists the profiles
  ackademy profile rabbitmq-quorum    shows one

With --json, standard output has an object per profile: name, kind (queue,
log, database, provider), title, facts: a list of {knob, value, text, source}. value
is empty where the fact stands behind no single value.
`

// runsLegend tells what a source like R-NATS-5 is.
const runsLegend = "R-...: seen in our own runs of RabbitMQ 3.10.8, nats-server 2.15.3, Redis 7.0.15,\n" +
	"PostgreSQL 15.18 and SQLite 3.40.1, one node each.\n"

// shownProfile is a profile of any kind, ready to be printed.
type shownProfile struct {
	Name  string      `json:"name"`
	Kind  string      `json:"kind"`
	Title string      `json:"title"`
	Facts []shownFact `json:"facts"`
}

type shownFact struct {
	Knob   string `json:"knob"`
	Value  string `json:"value"`
	Text   string `json:"text"`
	Source string `json:"source"`
}

func profileCommand() command {
	asJSON := false
	return command{
		name: "profile", args: "[NAME]", summary: "show the rules of a real broker, database or provider", help: profileHelp,
		options: []option{onSwitch(&asJSON, "json", "JSON instead of text")},
		run: func(t *terminal, args []string) int {
			if len(args) > 1 {
				return t.problem(wrongInput("too-many-arguments", "profile shows one profile at a time", "Write `ackademy profile` for the list."))
			}
			list := profiles()
			if len(args) == 1 {
				var p *problem
				if list, p = oneProfile(list, args[0]); p != nil {
					return t.problem(p)
				}
			}
			switch {
			case asJSON:
				for _, s := range list {
					t.printJSON(s)
				}
			case len(args) == 1:
				for _, s := range list {
					t.printProfile(s)
				}
				t.print("\n" + runsLegend)
			default:
				t.listProfiles(list)
			}
			return exitGood
		},
	}
}

func oneProfile(list []shownProfile, name string) ([]shownProfile, *problem) {
	var names []string
	var found []shownProfile
	for _, s := range list {
		if s.Name == name {
			found = append(found, s) // a queue and a provider may share a name
		}
		names = append(names, s.Name)
	}
	if found != nil {
		return found, nil
	}
	next := "There are " + strings.Join(names, ", ") + "."
	if near := nearest(name, names); near != "" {
		next = "Did you mean " + near + "? " + next
	}
	return nil, wrongInput("no-profile", "there is no profile "+quote(name), next)
}

// profiles lists all of them: queues, logs, databases, providers.
func profiles() []shownProfile {
	var list []shownProfile
	for _, q := range profile.Queues() {
		list = append(list, shown(q.Name, "queue", q.Title, q.Facts, queueValues(q.Knobs)))
	}
	for _, l := range profile.Logs() {
		list = append(list, shown(l.Name, "log", l.Title, l.Facts, map[string]string{
			"retention": seconds(l.Knobs.Retention, "never"), "tx_timeout": seconds(l.Knobs.TxTimeout, "none")}))
	}
	for _, d := range profile.Databases() {
		list = append(list, shown(d.Name, "database", d.Title, d.Facts, map[string]string{"remote": yesNo(d.Knobs.Boundary != sim.InProcess)}))
	}
	for _, p := range profile.Providers() {
		k := p.Knobs
		list = append(list, shown(p.Name, "provider", p.Title, p.Facts, map[string]string{
			"keys": yesNo(k.Keys), "kept": seconds(k.KeptFor, "for ever"), "mismatch": map[bool]string{true: "error", false: "first_answer"}[k.MismatchFails]}))
	}
	return list
}

func shown(name, kind, title string, facts []profile.Fact, values map[string]string) shownProfile {
	s := shownProfile{Name: name, Kind: kind, Title: title, Facts: []shownFact{}}
	for _, f := range facts {
		s.Facts = append(s.Facts, shownFact{f.Knob, values[f.Knob], f.Text, f.Source})
	}
	return s
}

// queueValues are a queue's knobs as the scenario language writes them.
func queueValues(q sim.Queue) map[string]string {
	return map[string]string{
		"boundary":            [...]string{sim.InProcess: "in process", sim.Connection: "connection", sim.Request: "request"}[q.Boundary],
		"ordered":             yesNo(q.Ordered),
		"ack":                 map[bool]string{true: "answer", false: "send"}[q.AckAnswers],
		"stale_ack":           [...]string{sim.StaleIgnored: "ignored", sim.StaleError: "error", sim.StaleSettles: "settles", sim.StaleChoice: "choice"}[q.StaleAck],
		"lease":               seconds(q.Lease, "none"),
		"disconnect_requeues": yesNo(q.DisconnectRequeues),
		"prefetch":            map[bool]string{true: "no limit", false: fmt.Sprint(q.HoldLimit)}[q.HoldLimit == 0],
		"on_error":            q.OnError.String(),
		"extend":              [...]string{sim.ExtendsAny: "any", sim.ExtendsAnew: "anew", sim.ExtendsNever: "no", sim.ExtendsIdle: "idle"}[q.Extend],
		"max_lease":           seconds(q.MaxLease, "no limit"),
		"counter":             [...]string{sim.CountsNothing: "nothing", sim.CountsDeliveries: "deliveries", sim.CountsLosses: "losses"}[q.Counter],
		"max_deliveries":      map[bool]string{true: "no limit", false: fmt.Sprint(q.MaxDeliveries)}[q.MaxDeliveries == 0],
	}
}

func yesNo(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func seconds(s sim.Seconds, none string) string {
	if s == 0 {
		return none
	}
	return fmt.Sprintf("%d s", s)
}

func (t *terminal) listProfiles(list []shownProfile) {
	for _, s := range list {
		t.print(fmt.Sprintf("  %-20s %-9s %s\n", s.Name, s.Kind, s.Title))
	}
	t.print("\n`ackademy profile NAME` shows the rules of one, with their sources.\n")
}

func (t *terminal) printProfile(s shownProfile) {
	t.print(t.paint(picture.Head, s.Name) + " (" + s.Kind + ")  " + s.Title + "\n")
	for _, f := range s.Facts {
		head := f.Knob
		if f.Value != "" {
			head += " = " + f.Value
		}
		t.print("\n  " + t.paint(picture.Head, head) + "\n")
		for _, line := range wrap(f.Text, t.width-6) {
			t.print("    " + line + "\n")
		}
		for _, line := range wrap("source: "+f.Source, t.width-6) {
			t.print("    " + t.paint(picture.Faint, line) + "\n")
		}
	}
}
