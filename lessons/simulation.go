package lessons

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/ackademy/ackademy/sim/schedule"
)

// The construct ":::simulation key=value ..." up to a line ":::".

var kindSimulation = ast.NewNodeKind("Simulation")

// simulationNode is the construct in the document. Its mistakes wait here
// until collect can name the file: goldmark's parsers can't fail.
type simulationNode struct {
	ast.BaseBlock
	Simulation
	schedule strings.Builder // a line for each line of the directive; empty ones for claims
	closed   bool
	mistakes []*Error
}

func (n *simulationNode) Kind() ast.NodeKind { return kindSimulation }

func (n *simulationNode) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Scenario": n.Scenario}, nil)
}

func (n *simulationNode) mistake(line int, code, message, next string) {
	n.mistakes = append(n.mistakes, &Error{Line: line, Code: code, Message: message, Next: next})
}

type simulationParser struct{}

func (simulationParser) Trigger() []byte { return []byte{':'} }

func (simulationParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	content, segment := reader.PeekLine()
	head := strings.TrimSpace(string(content))
	if !strings.HasPrefix(head, ":::") || head == ":::" {
		return nil, parser.NoChildren
	}
	node := &simulationNode{}
	node.Line = line(reader.Source(), segment.Start)
	kind, rest, _ := strings.Cut(strings.TrimSpace(head[3:]), " ")
	if kind != "simulation" {
		node.mistake(node.Line, "unknown_directive",
			fmt.Sprintf("there is no directive named %q", kind), "Write :::simulation scenario=FILE.")
	}
	node.attributes(rest)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// attribute is key=value or key="value with spaces".
var attribute = regexp.MustCompile(`^\s*([a-z]+)=("[^"]*"|[^\s"]+)`)

func (n *simulationNode) attributes(rest string) {
	for strings.TrimSpace(rest) != "" {
		match := attribute.FindStringSubmatch(rest)
		if match == nil {
			n.mistake(n.Line, "bad_directive", fmt.Sprintf("%q is not of the form key=value", strings.TrimSpace(rest)),
				`Write scenario=FILE, name=NAME or at=NUMBER; put a value with spaces between quotes.`)
			return
		}
		rest = rest[len(match[0]):]
		value := strings.Trim(match[2], `"`)
		switch match[1] {
		case "scenario":
			n.Scenario = value
		case "name":
			n.Name = value
		case "at":
			at, err := strconv.Atoi(value)
			if err != nil || at < 0 {
				n.mistake(n.Line, "bad_directive", fmt.Sprintf("at=%s is not a number of steps", value), "Write at=3, or leave it out to begin at the start.")
			}
			n.At = at
		default:
			n.mistake(n.Line, "bad_directive", fmt.Sprintf("a simulation has no %s", match[1]), "Use scenario, name and at.")
		}
	}
}

func (simulationParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	content, segment := reader.PeekLine()
	simulation := node.(*simulationNode)
	entry := strings.TrimSpace(string(content))
	if entry == ":::" {
		simulation.closed = true
		reader.AdvanceToEOL()
		return parser.Close
	}
	if claim, isClaim := strings.CutPrefix(entry, "expect:"); isClaim {
		simulation.claim(claim, line(reader.Source(), segment.Start))
		entry = ""
	}
	simulation.schedule.WriteString(entry + "\n")
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

var claimForm = regexp.MustCompile(`^([a-z]+(?:_[a-z]+)*)(?:\s+(\S+))?$`)

func (n *simulationNode) claim(text string, line int) {
	match := claimForm.FindStringSubmatch(strings.TrimSpace(text))
	if match == nil {
		n.mistake(line, "bad_claim", fmt.Sprintf("%q is not a claim", strings.TrimSpace(text)),
			"Write expect: VERDICT, or expect: VERDICT INTENT.")
		return
	}
	n.Claims = append(n.Claims, Claim{Verdict: match[1], Intent: match[2], Line: line})
}

func (simulationParser) Close(ast.Node, text.Reader, parser.Context) {}
func (simulationParser) CanInterruptParagraph() bool                 { return true }
func (simulationParser) CanAcceptIndentedLine() bool                 { return false }

var simulationName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// settle gives the simulation its full name and its place, and checks both.
func (n *simulationNode) settle(root fs.FS, slug string, names map[string]bool) {
	if !n.closed {
		n.mistake(n.Line, "bad_directive", "the simulation is never closed", "End it with a line of :::.")
	}
	if n.Scenario == "" {
		n.mistake(n.Line, "bad_directive", "the simulation names no scenario", "Add scenario=FILE.")
		return
	}
	if n.Name == "" {
		base := path.Base(n.Scenario)
		n.Name = strings.TrimSuffix(base, path.Ext(base))
	}
	if !simulationName.MatchString(n.Name) {
		n.mistake(n.Line, "bad_directive", fmt.Sprintf("%q can't be a simulation's name", n.Name), "Use small letters, digits and hyphens: name=first-try.")
	}
	if names[n.Name] {
		n.mistake(n.Line, "name_taken", fmt.Sprintf("two simulations are named %q", n.Name), "Give one of them another name=.")
	}
	names[n.Name] = true
	n.parseSchedule()
	n.Scenario = path.Join(slug, n.Scenario)
	if info, err := fs.Stat(root, n.Scenario); err != nil || info.IsDir() {
		n.mistake(n.Line, "no_scenario", fmt.Sprintf("there is no scenario %s", n.Scenario), "Name a file of the lesson's folder.")
	}
	if n.At > len(n.Steps) {
		n.mistake(n.Line, "bad_directive", fmt.Sprintf("at=%d lies beyond the %d steps", n.At, len(n.Steps)), "Give at most as many as there are steps.")
	}
}

// parseSchedule reads the lines between the claims as any other schedule.
func (n *simulationNode) parseSchedule() {
	steps, err := schedule.Parse(n.schedule.String())
	var wrong *schedule.SyntaxError
	switch {
	case errors.As(err, &wrong):
		n.mistake(n.Line+wrong.Line, "bad_schedule", wrong.Message, "Write a schedule as ackademy run prints it: one step a line, or several between semicolons.")
	case len(steps) > 0:
		n.Steps = steps
	}
}

type simulationRenderer struct{}

func (r simulationRenderer) RegisterFuncs(register renderer.NodeRendererFuncRegisterer) {
	register.Register(kindSimulation, r.render)
}

// render leaves the steps as a list inside the element: that is what a
// reader without scripts sees, and where the element reads its schedule.
func (simulationRenderer) render(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	simulation := node.(*simulationNode)
	escape := func(text string) string { return string(util.EscapeHTML([]byte(text))) }
	fmt.Fprintf(w, "<ack-simulation name=\"%s\" scenario=\"%s\" at=\"%d\">\n",
		escape(simulation.Name), escape(simulation.Scenario), simulation.At)
	if len(simulation.Steps) > 0 {
		_, _ = w.WriteString("<ol>\n")
		for _, step := range simulation.Steps {
			fmt.Fprintf(w, "<li>%s</li>\n", escape(step))
		}
		_, _ = w.WriteString("</ol>\n")
	}
	_, err := w.WriteString("</ack-simulation>\n")
	return ast.WalkSkipChildren, err
}
