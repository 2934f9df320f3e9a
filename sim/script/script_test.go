package script

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/ackademy/ackademy/sim"
)

// TestScripts runs the stories under testdata/stories. Their commands:
//
//	load                     the input is a scenario; prints what it declares
//	tree handler=h op=id     prints the handler's tree of calls; body=(a=1) adds a body
//	walk handler=h op=id     the input is answers, one a line; prints where the handler stands
//	                         before each and at the end
//
// Answers are ok, true, false, none, timeout, refused, conflict, gone, stale,
// "= text" for a text and "row a=1 b=x" for a row.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/stories", func(t *testing.T, path string) {
		var s *Scenario
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "load":
				loaded, err := Load("scenario.star", []byte(d.Input+"\n"))
				if err != nil {
					return err.Error() + "\n"
				}
				s = loaded
				return summary(s)
			case "tree":
				h, in := inputOf(t, s, d)
				return printTree(s, s.Program.Start(h, in))
			case "walk":
				h, in := inputOf(t, s, d)
				return walk(t, s, h, in, d.Input)
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
	})
}

func inputOf(t *testing.T, s *Scenario, d *datadriven.TestData) (sim.HandlerID, sim.Input) {
	var name, op string
	d.ScanArgs(t, "handler", &name)
	d.ScanArgs(t, "op", &op)
	var body []string
	for _, arg := range d.CmdArgs {
		if arg.Key == "body" {
			body = arg.Vals
		}
	}
	for i, h := range s.Handlers {
		if h == name {
			return sim.HandlerID(i), sim.Input{Op: s.Values.Str(op), Body: recordOf(s, body)}
		}
	}
	d.Fatalf(t, "no handler %s among %v", name, s.Handlers)
	return 0, sim.Input{}
}

// recordOf makes a record of "name=value" texts.
func recordOf(s *Scenario, parts []string) sim.ValueID {
	var fields []sim.Field
	for _, p := range parts {
		name, value, _ := strings.Cut(p, "=")
		id := s.Values.Str(value)
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			id = s.Values.Int(n)
		}
		fields = append(fields, sim.Field{Name: name, Value: id})
	}
	return s.Values.Record(fields)
}

func answerOf(t *testing.T, s *Scenario, line string) sim.Answer {
	words := strings.Fields(line)
	switch words[0] {
	case "ok", "none":
		return sim.Answer{}
	case "true":
		return sim.Answer{Value: sim.True}
	case "false":
		return sim.Answer{Value: sim.False}
	case "=":
		return sim.Answer{Value: s.Values.Str(words[1])}
	case "row":
		return sim.Answer{Value: recordOf(s, words[1:])}
	}
	for c := sim.OK; c <= sim.Failed; c++ {
		if c.String() == words[0] {
			return sim.Answer{Code: c}
		}
	}
	t.Fatalf("unknown answer %q", line)
	return sim.Answer{}
}

// walk prints where a handler stands before each answer, and checks that the
// tree of calls agrees at each of these places.
func walk(t *testing.T, s *Scenario, h sim.HandlerID, in sim.Input, input string) string {
	var out strings.Builder
	var answers []sim.Answer
	n := s.Program.Start(h, in)
	show := func() {
		site := s.Site(h, in, answers)
		fmt.Fprintf(&out, "%d:%d", site.Line, site.Col)
		if site.EndLine != site.Line {
			fmt.Fprintf(&out, "-%d", site.EndLine)
		}
		fmt.Fprintf(&out, " %s", printCall(s, site.Call))
		if site.Occurrence > 1 {
			fmt.Fprintf(&out, " #%d", site.Occurrence)
		}
		if site.Text != "" {
			fmt.Fprintf(&out, "  <- %s", site.Text)
		}
		out.WriteString("\n")
		if got, want := printCall(s, s.Program.Call(n)), printCall(s, site.Call); got != want {
			t.Fatalf("the tree asks %s, the text %s", got, want)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(input), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		show()
		a := answerOf(t, s, line)
		answers = append(answers, a)
		n = s.Program.Next(n, a)
		fmt.Fprintf(&out, "  %s\n", strings.TrimSpace(line))
	}
	show()
	return out.String()
}

// printCall prints a call as the world would hear it.
func printCall(s *Scenario, c *sim.Call) string {
	var out strings.Builder
	out.WriteString(c.Verb.String())
	if c.Party >= 0 {
		switch {
		case c.Verb == sim.VerbPublish || c.Verb == sim.VerbAck || c.Verb == sim.VerbNack || c.Verb == sim.VerbReject:
			out.WriteString(" " + s.Queues[c.Party].Name)
		case c.Verb == sim.VerbSend || c.Verb == sim.VerbLookup:
			out.WriteString(" " + s.Providers[c.Party].Name)
		default:
			out.WriteString(" " + s.Databases[c.Party].Name)
			if c.Table >= 0 {
				out.WriteString("." + s.Databases[c.Party].Tables[c.Table].Name)
			}
		}
	}
	for _, part := range []struct {
		name string
		id   sim.ValueID
	}{{"op", c.Op}, {"key", c.Key}, {"body", c.Body}} {
		if part.id != sim.None {
			fmt.Fprintf(&out, " %s=%s", part.name, s.Values.Text(part.id))
		}
	}
	if c.InTx {
		out.WriteString(" in-tx")
	}
	if c.Verb == sim.VerbPublish && !c.Confirm {
		out.WriteString(" unconfirmed")
	}
	if c.Seconds > 0 {
		fmt.Fprintf(&out, " %ds", c.Seconds)
	}
	if c.Verb == sim.VerbFail {
		out.WriteString(" " + c.Code.String())
	}
	if c.Text != "" {
		fmt.Fprintf(&out, " %q", c.Text)
	}
	return out.String()
}

// printTree prints the nodes that can be reached, numbered in the order of the
// print.
func printTree(s *Scenario, root sim.Node) string {
	var out strings.Builder
	numbers := map[sim.Node]int{}
	var order []sim.Node
	number := func(n sim.Node) int {
		if _, ok := numbers[n]; !ok {
			numbers[n] = len(numbers) + 1
			order = append(order, n)
		}
		return numbers[n]
	}
	number(root)
	for i := 0; i < len(order); i++ {
		n := &s.tree.nodes[order[i]]
		fmt.Fprintf(&out, "%d %s\n", i+1, printCall(s, n.call))
		if n.open != nil {
			out.WriteString("  any answer: worked out when it comes\n")
		}
		for j, a := range n.answers {
			answer := a.Code.String()
			if a.Value != sim.None {
				answer = strings.ToLower(s.Values.Text(a.Value))
			}
			fmt.Fprintf(&out, "  %s -> %d\n", answer, number(n.next[j]))
		}
	}
	return out.String()
}

func summary(s *Scenario) string {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line("title %q doc %q", s.Title, s.Doc)
	for _, q := range s.Queues {
		line("queue %s like %s: boundary=%d ordered=%v answers=%v stale=%d requeues=%v lease=%d hold=%d dead=%d isdead=%v onerror=%s timeout=%d", q.Name, q.Profile,
			q.Boundary, q.Ordered, q.AckAnswers, q.StaleAck, q.DisconnectRequeues, q.Lease, q.HoldLimit, q.DeadLetter, q.IsDeadLetter, q.OnError, q.Timeout)
	}
	for _, d := range s.Databases {
		line("database %s like %s: boundary=%d isolation=%d timeout=%d", d.Name, d.Profile, d.Boundary, d.Isolation, d.Timeout)
		for _, tab := range d.Tables {
			line("  table %s key=%q role=%d read=%v", tab.Name, tab.Key, tab.Role, tab.Read)
		}
	}
	for _, p := range s.Providers {
		line("provider %s: keys=%v kept=%d mismatchfails=%v timeout=%d", p.Name, p.Keys, p.KeptFor, p.MismatchFails, p.Timeout)
	}
	for _, in := range s.Intents {
		line("intent %q: op=%s body=%s promised=%v", in.Name, s.Values.Text(in.Op), s.Values.Text(in.Body), in.Promised)
	}
	for _, p := range s.Processes {
		line("process %s: kind=%d handler=%s queue=%d requests=%v onreturn=%s onerror=%s answers=%v", p.Name, p.Kind, s.Handlers[p.Handler], p.Queue,
			p.Requests, p.OnReturn, p.OnError, p.Answers)
	}
	var budget []string
	for _, k := range sim.FaultKinds() {
		if s.Faults.Limit[k] > 0 {
			budget = append(budget, fmt.Sprintf("%s=%d", k, s.Faults.Limit[k]))
		}
	}
	line("faults total=%d %s scoped=%v %v %v %v %v", s.Faults.Total, strings.Join(budget, " "), s.Faults.Scoped, s.Faults.Processes, s.Faults.Queues, s.Faults.Databases, s.Faults.Providers)
	var forbidden []string
	for _, p := range sim.Properties() {
		if s.Forbidden[p] {
			forbidden = append(forbidden, p.String())
		}
	}
	line("forbidden %s; fresh=%v timed=%v effects counted to %d", strings.Join(forbidden, " "), s.Fresh, s.Timed, s.EffectCap)
	return out.String()
}

// loadFile loads a scenario of the tests.
func loadFile(t testing.TB, name string) *Scenario {
	t.Helper()
	path := filepath.Join("testdata", "scenarios", name)
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Load(path, src)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func scenarioFiles(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/scenarios/*.star")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for i, p := range paths {
		paths[i] = filepath.Base(p)
	}
	sort.Strings(paths)
	return paths
}
