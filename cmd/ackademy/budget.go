package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// budget is the budget of faults that --faults asks for instead of the
// scenario's own; text is empty where it asks for none.
type budget struct {
	text     string
	faults   sim.Faults
	anywhere bool // where the scenario says that only some may be struck, all may
}

// anywhere is the part of a budget that lifts the scenario's faults(of = ...).
const anywhere = "of=any"

// maxFaults is the largest count: the world keeps it in a byte.
const maxFaults = 100

func (b *budget) option() option {
	return option{name: "faults", value: "BUDGET", set: b.parse,
		text: "another budget of faults than the scenario's: crash=1,lost_request=1,total=1\n(total: all kinds together; without it their sum), or none;\nof=any: they may strike where the scenario's own may not"}
}

func (b *budget) parse(text string) *problem {
	*b = budget{text: text}
	if text == "none" {
		return nil
	}
	total, sum := -1, 0
	for _, part := range strings.Split(text, ",") {
		if strings.TrimSpace(part) == anywhere {
			b.anywhere = true
			continue
		}
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > maxFaults {
			return wrongInput("bad-budget", fmt.Sprintf("%s is no part of a budget", quote(part)), fmt.Sprintf("Write a kind and a number from 0 to %d: --faults crash=1,total=1.", maxFaults))
		}
		if name == "total" {
			total = n
			continue
		}
		kind, p := faultKind(name)
		if p != nil {
			return p
		}
		if b.faults.Limit[kind] > 0 {
			return wrongInput("bad-budget", name+" is given twice", "Write each kind once: --faults "+name+"=2.")
		}
		sum += n
		b.faults.Limit[kind] = n
	}
	if total < 0 || total > sum {
		total = sum
	}
	b.faults.Total = min(total, maxFaults)
	return nil
}

func faultKind(name string) (sim.FaultKind, *problem) {
	var names []string
	for _, k := range sim.FaultKinds() {
		if k.String() == name {
			return k, nil
		}
		names = append(names, k.String())
	}
	next := "The kinds are " + strings.Join(names, ", ") + ", and total for all together."
	if near := nearest(name, append(names, "total")); near != "" {
		next = "Did you mean " + near + "? " + next
	}
	return sim.NoFault, wrongInput("bad-budget", "there is no fault "+quote(name), next)
}

// apply gives a scenario the budget. Where its faults may strike is kept
// unless the budget says of=any. It must be done before a world is built: the
// handlers' trees depend on it.
func (b *budget) apply(sc *sim.Scenario) {
	if b.text == "" {
		return
	}
	sc.Faults.Total, sc.Faults.Limit = b.faults.Total, b.faults.Limit
	if b.anywhere {
		sc.Faults.Scoped = false
	}
}

// argument is the option as a command would repeat it.
func (b *budget) argument() string {
	if b.text == "" {
		return ""
	}
	return " --faults " + shellQuote(b.text)
}

// budgetText says what may go wrong in a scenario.
func budgetText(f *sim.Faults) string {
	if f.Total == 0 {
		return "no faults"
	}
	var parts []string
	for _, k := range sim.FaultKinds() {
		if f.Limit[k] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", k, f.Limit[k]))
		}
	}
	return fmt.Sprintf("at most %s in all (%s)", plural(f.Total, "fault"), strings.Join(parts, ", "))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// thousands prints a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
