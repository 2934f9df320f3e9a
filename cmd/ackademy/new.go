package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/ackademy/ackademy/lessons"
)

const newHelp = `
Begins a scenario of your own with one that works. The file is never
overwritten.

  ackademy new scenario                       writes scenario.star
  ackademy new scenario mine.star             writes mine.star
  ackademy new scenario mine.star --from claim
  ackademy new --list                         lists what can be begun with

What can be begun with are ten worked idioms, from an inbox to claims that
are taken over. Change the handlers to what your system does, then look what
becomes of it:

  ackademy check mine.star
  ackademy windows mine.star
  ackademy language                           all that a scenario can say
`

func newCommand() command {
	list, from := false, "inbox"
	return command{
		name: "new", args: "scenario [FILE]", summary: "begin a scenario of your own", help: newHelp,
		options: []option{
			{name: "from", value: "IDIOM", text: "the idiom to begin with; inbox if none is named", set: func(name string) *problem { from = name; return nil }},
			onSwitch(&list, "list", "list the idioms"),
		},
		run: func(t *terminal, args []string) int {
			if list {
				for _, i := range lessons.Idioms() {
					t.print(i.Name + strings.Repeat(" ", max(1, 14-len(i.Name))) + i.Title + "\n")
				}
				return exitGood
			}
			if len(args) == 0 || args[0] != "scenario" || len(args) > 2 {
				return t.problem(wrongInput("bad-argument", "new makes a scenario", "Write `ackademy new scenario mine.star`."))
			}
			file := "scenario.star"
			if len(args) == 2 {
				file = args[1]
			}
			if p := writeNew(file, from); p != nil {
				return t.problem(p)
			}
			t.print("Wrote " + clean(file) + ". Look what becomes of it: ackademy check " + shellQuote(file) + "\n")
			return exitGood
		},
	}
}

// writeNew writes an idiom to a new file.
func writeNew(file, idiom string) *problem {
	var names []string
	text := ""
	for _, i := range lessons.Idioms() {
		names = append(names, i.Name)
		if i.Name == idiom {
			text = i.Text
		}
	}
	if text == "" {
		next := "Choose one of " + listOf(names) + "."
		if near := nearest(idiom, names); near != "" {
			next = "Did you mean " + near + "? " + next
		}
		return wrongInput("no-idiom", "there is no idiom "+quote(idiom), next)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		return nil
	}
	p := wrongInput("unwritable", "the file can't be written", "Name another one, in a folder that you may write to.")
	if errors.Is(err, fs.ErrExist) {
		p = wrongInput("file-exists", "there is such a file already, and it is left alone", "Name another one: ackademy new scenario mine.star.")
	}
	p.where, p.file = file, file
	return p
}
