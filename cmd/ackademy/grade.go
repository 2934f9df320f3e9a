package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/ackademy/ackademy/exercises"
	"github.com/ackademy/ackademy/sim/picture"
)

const gradeHelp = `
Grades your program for an exercise. It is built, run in processes of its own,
killed at each of its calls in turn, given the same work again, and raced
against itself; then the rows in its file are judged. Without an exercise, the
exercises are listed.

  ackademy grade                      list the exercises
  ackademy grade 01 --init sink       get a copy to work on, in the folder sink
  cd sink && ackademy grade 01        grade it
  ackademy grade 01 --program main.go
  ackademy grade 01 --hint 1          the first hint, which tells least

The program runs with your rights on this machine: grade your own. It needs the
go command. With --json the report is one JSON object (format
ackademy.grade.v1); a program that can't be graded gives {"error"}.
`

// grading is one call of the command.
type grading struct {
	options exercises.Options
	init    string
	hint    int
	json    bool
}

func gradeCommand() command {
	g := &grading{}
	return command{
		name: "grade", args: "[EXERCISE]", summary: "grade your program for an exercise", help: gradeHelp, run: g.run,
		options: []option{
			textOption(&g.init, "init", "FOLDER", "copy what you need to begin into this folder, and grade nothing"),
			countOption(&g.hint, "hint", "show so many of the hints, from vague to plain, and grade nothing", 1, 99),
			textOption(&g.options.Program, "program", "PATH", "your Go file, its folder, or an executable"),
			onSwitch(&g.options.First, "first", "stop at the first failure"),
			onSwitch(&g.options.Keep, "keep", "leave the files of the runs behind, and say where"),
			onSwitch(&g.json, "json", "JSON instead of text"),
		},
	}
}

func (g *grading) run(t *terminal, args []string) int {
	switch {
	case len(args) > 1:
		return t.problem(wrongInput("too-many-arguments", "grade takes one exercise, not "+fmt.Sprint(len(args)), "Name your program with --program."))
	case len(args) == 0 && (g.init+g.options.Program != "" || g.hint > 0):
		return t.problem(wrongInput("no-exercise", "grade isn't told which exercise", "Name it: `ackademy grade 01 ...`; plain `ackademy grade` lists them."))
	case len(args) == 0:
		return g.list(t)
	case g.init != "":
		return g.begin(t, args[0])
	case g.hint > 0:
		return g.hints(t, args[0])
	}
	g.options.Exercise = args[0]
	report, err := exercises.Grade(t.ctx, g.options)
	if errors.Is(err, context.Canceled) {
		return t.problem(&problem{code: "cancelled", message: "the grading was cancelled, so nothing is decided", next: "Start it again.", exit: exitUndecided})
	}
	if err != nil {
		p := problemOf(err, nil)
		if g.json {
			t.printJSON(struct {
				Error *problemJSON `json:"error"`
			}{p.json()})
		}
		return t.problem(p)
	}
	if g.json {
		t.printJSON(report)
	} else if err := report.WriteText(t.stdout); err != nil {
		panic(err)
	}
	return report.ExitCode()
}

// exerciseJSON is an entry of the list of exercises.
type exerciseJSON struct {
	ID    string `json:"id"`
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Kind  string `json:"kind"`
}

func (g *grading) list(t *terminal) int {
	for _, e := range exercises.List() {
		if g.json {
			t.printJSON(exerciseJSON{e.ID, e.Slug, e.Title, e.Kind})
		} else {
			t.print(fmt.Sprintf("  %s  %s\n", e.ID, e.Title))
		}
	}
	if !g.json {
		t.print("\nBegin with `ackademy grade 01 --init FOLDER`, then `ackademy grade 01` in that folder.\n")
	}
	return exitGood
}

// begin hands an exercise out.
func (g *grading) begin(t *terminal, name string) int {
	written, err := exercises.Init(name, g.init)
	if err != nil {
		return t.problem(problemOf(err, nil))
	}
	for _, path := range written {
		t.print("  " + clean(path) + "\n")
	}
	t.print(fmt.Sprintf("\nRead the text, change the program, then: cd %s && ackademy grade %s\n", shellQuote(clean(g.init)), clean(name)))
	return exitGood
}

// hintsJSON are the hints of an exercise that were asked for.
type hintsJSON struct {
	ID    string   `json:"id"`
	Hints []string `json:"hints"`
	Of    int      `json:"of"`
}

// hints shows the first hints of an exercise.
func (g *grading) hints(t *terminal, name string) int {
	e, err := exercises.Find(name)
	if err != nil {
		return t.problem(problemOf(err, nil))
	}
	shown := e.Hints[:min(g.hint, len(e.Hints))]
	if g.json {
		t.printJSON(hintsJSON{e.ID, shown, len(e.Hints)})
		return exitGood
	}
	for i, hint := range shown {
		t.headed(picture.Head, fmt.Sprintf("%d.", i+1), hint)
	}
	if more := len(e.Hints) - len(shown); more > 0 {
		t.print(fmt.Sprintf("\n%d more: `ackademy grade %s --hint %d` shows the next.\n", more, e.ID, len(shown)+1))
	} else {
		t.print("\nThat is all of them.\n")
	}
	return exitGood
}
