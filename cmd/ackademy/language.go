package main

import (
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/script"
)

const languageHelp = `
The reference of the scenario language, made from the calls themselves: what
each does, what it stands for in SQL or in a protocol, what it is told.

  ackademy language             lists the calls
  ackademy language publish     shows a call, everywhere it stands
  ackademy language --all       shows all of them

Begin with a scenario that is near to yours: ackademy new --list names ten, and
lessons/casebook tells incidents that happened. For what the verdicts of expect(...) and the kinds of
faults(...) mean, see ackademy check --help.

With --json, standard output has an object per call: of (what it is a method
of), name, where (top or handler), params (name, type, default, positional, doc),
fields, result, doc, stands, faults.
`

func languageCommand() command {
	asJSON, all := false, false
	return command{
		name: "language", args: "[CALL]", summary: "the reference of the scenario language", help: languageHelp,
		options: []option{onSwitch(&asJSON, "json", "JSON instead of text"), onSwitch(&all, "all", "show every call in full")},
		run: func(t *terminal, args []string) int {
			if len(args) > 1 {
				return t.problem(wrongInput("too-many-arguments", "language shows one call at a time", "Write `ackademy language` for the list."))
			}
			list := script.Reference()
			if len(args) == 1 {
				var p *problem
				if list, p = oneCall(list, args[0]); p != nil {
					return t.problem(p)
				}
			}
			switch {
			case asJSON:
				for _, b := range list {
					t.printJSON(b)
				}
			case all || len(args) == 1:
				for i, b := range list {
					if i > 0 {
						t.print("\n")
					}
					t.printCall(b)
				}
			default:
				t.listCalls(list)
			}
			return exitGood
		},
	}
}

// oneCall picks the calls of a name; "store.insert" and "insert" mean the same.
func oneCall(list []script.Binding, name string) ([]script.Binding, *problem) {
	short := name[strings.LastIndex(name, ".")+1:]
	var found []script.Binding
	var names []string
	for _, b := range list {
		if b.Name == short {
			found = append(found, b)
		}
		names = append(names, b.Name)
	}
	if found != nil {
		return found, nil
	}
	next := "`ackademy language` lists the calls."
	if near := nearest(short, names); near != "" {
		next = "Did you mean " + near + "? " + next
	}
	return nil, wrongInput("no-call", "the scenario language has no call "+quote(name), next)
}

func (t *terminal) listCalls(list []script.Binding) {
	last := ""
	for _, b := range list {
		group := "at the top of a scenario"
		switch {
		case b.Of != "":
			group = "of a " + b.Of
		case b.Where == "handler":
			group = "in a handler"
		}
		if group != last {
			if last != "" {
				t.print("\n")
			}
			t.print(t.paint(picture.Head, group) + "\n")
			last = group
		}
		doc, _, _ := strings.Cut(b.Doc, ". ")
		for i, line := range wrap(strings.TrimSuffix(doc, ".")+".", t.width-18) {
			name := b.Name
			if i > 0 {
				name = ""
			}
			t.print(fmt.Sprintf("  %-15s %s\n", name, line))
		}
	}
	t.print("\n`ackademy language CALL` shows one in full.\n")
}

// printCall shows a call: how it is written, what it does and what it is told.
func (t *terminal) printCall(b script.Binding) {
	head := signature(b)
	for i, line := range wrap(head, t.width-4) {
		if i > 0 {
			line = "    " + line
		}
		t.print(t.paint(picture.Head, line) + "\n")
	}
	paragraph := func(text string) {
		for _, line := range wrap(text, t.width-4) {
			t.print("  " + line + "\n")
		}
	}
	paragraph(b.Doc)
	if b.Stands != "" {
		paragraph("Stands for: " + b.Stands)
	}
	if b.Result != "" {
		paragraph("Result: " + b.Result + ".")
	}
	if b.Faults != "" {
		paragraph("Faults: " + b.Faults + ".")
	}
	for _, p := range b.Params {
		text := p.Name + ": " + p.Type
		if p.Default != "" {
			text += ", default " + p.Default
		}
		if p.Doc != "" {
			text += ". " + p.Doc
		}
		for i, line := range wrap(text, t.width-8) {
			lead := "    "
			if i > 0 {
				lead = "      "
			}
			t.print(lead + line + "\n")
		}
	}
	if b.Fields != "" {
		t.print("    further named values: " + b.Fields + "\n")
	}
}

func signature(b script.Binding) string {
	var parts []string
	for _, p := range b.Params {
		text := p.Name
		if p.Default != "" {
			text += " = " + p.Default
		}
		parts = append(parts, text)
	}
	if b.Fields != "" {
		parts = append(parts, "name = value, ...")
	}
	name := b.Name
	if b.Of != "" {
		name = b.Of + "." + name
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}
