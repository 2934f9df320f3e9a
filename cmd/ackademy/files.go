package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// found is a scenario file to look at, or why there is none.
type found struct {
	path    string
	problem *problem
}

// standardInput stands for a scenario or a schedule that is read from there.
const standardInput = "-"

// scenarios lists the files that the arguments name: each file, and of each
// folder every .star below it, in the order of their names.
func scenarios(args []string) []found {
	var list []found
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case arg == standardInput:
			list = append(list, found{path: arg})
		case err != nil:
			list = append(list, found{arg, fileProblem(arg, err)})
		case !info.IsDir():
			list = append(list, found{path: arg})
		default:
			list = append(list, below(arg)...)
		}
	}
	return list
}

func below(folder string) []found {
	var list []found
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			list = append(list, found{path, fileProblem(path, err)})
			return nil
		}
		if entry.IsDir() && path != folder && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if !entry.IsDir() && filepath.Ext(path) == ".star" {
			list = append(list, found{path: path})
		}
		return nil
	})
	if err != nil {
		panic(err) // the function above returns no error
	}
	if len(list) == 0 {
		p := wrongInput("no-scenario", "there is no scenario in this folder", "Scenarios are files that end in .star; name one, or another folder.")
		p.where, p.file = folder, folder
		list = append(list, found{folder, p})
	}
	return list
}

// fileProblem says why a file can't be read.
func fileProblem(path string, err error) *problem {
	p := wrongInput("unreadable", "the file can't be read", "Check that you may read it.")
	p.where, p.file = path, path
	if errors.Is(err, fs.ErrNotExist) {
		p.code, p.message, p.next = "no-file", "there is no such file or folder", "Check the path."
		near := nearest(filepath.Base(path), siblings(path))
		switch {
		case near == filepath.Base(path):
			p.message, p.next = "this link leads nowhere", "Make it point to a scenario, or name the scenario itself."
		case near != "":
			p.next = "Did you mean " + filepath.Join(filepath.Dir(path), near) + "?"
		}
	}
	return p
}

// siblings lists the scenarios and folders beside a path.
func siblings(path string) []string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil // then there is nothing to suggest
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) == ".star" {
			names = append(names, e.Name())
		}
	}
	return names
}

// maxFile bounds what is read from a file: far above what a scenario or a
// schedule may have, so that those limits give the better message.
const maxFile = 8 << 20

// readFile reads a file. A named pipe that nobody writes to would hold the
// program up where no interrupt reaches it, so pipes are left to standard input
// and to what a shell opens itself.
func readFile(path string) ([]byte, *problem) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		p := wrongInput("is-pipe", "this is a named pipe", "Name a file, or let the shell open it: /dev/stdin < PIPE.")
		p.where, p.file = path, path
		return nil, p
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileProblem(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		p := wrongInput("is-folder", "this is a folder", "Name one file in it; `ackademy check` takes folders.")
		p.where, p.file = path, path
		return nil, p
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, fileProblem(path, err)
	}
	return text, nil
}

// readInput reads standard input. It can be read once: asked again for the same
// thing it gives the same text, and for another it is a problem.
func (t *terminal) readInput(what string) ([]byte, *problem) {
	switch t.inputIs {
	case what:
		return t.input, nil
	case "":
	default:
		return nil, wrongInput("input-twice", "standard input is the "+t.inputIs+" already, and can't be the "+what+" too", "Give one of the two as a file.")
	}
	text, err := io.ReadAll(io.LimitReader(t.stdin, maxFile))
	if err != nil {
		return nil, wrongInput("unreadable", fmt.Sprintf("standard input can't be read: %v", err), "Give the "+what+" as a file.")
	}
	t.inputIs, t.input = what, text
	return text, nil
}

// load reads a scenario and gives it the budget of faults that was asked for.
func (t *terminal) load(path string, budget *budget) (*script.Scenario, *problem) {
	var text []byte
	var p *problem
	if path == standardInput {
		text, p = t.readInput("scenario")
	} else {
		text, p = readFile(path)
	}
	if p != nil {
		return nil, p
	}
	name := path
	if path == standardInput {
		name = "<stdin>"
	}
	sc, err := script.Load(name, text)
	if err != nil {
		p := problemOf(err, nil)
		if path != standardInput && filepath.Ext(path) != ".star" {
			p.next += "\nScenarios are files that end in .star: is this one?"
		}
		return nil, p
	}
	budget.apply(sc.Scenario)
	return sc, nil
}

// mistakeOf finds the place in the text behind an error that a run came upon,
// or nil.
func mistakeOf(err error, sc *script.Scenario) *script.Error {
	var mistake *sim.MistakeError
	if !errors.As(err, &mistake) {
		return nil
	}
	return sc.Mistake(mistake)
}

// readSchedule takes a schedule from an argument, a file (@file) or standard
// input (-).
func (t *terminal) readSchedule(arg string) ([]string, *problem) {
	text := arg
	file, isFile := strings.CutPrefix(arg, "@")
	switch {
	case isFile:
		read, p := readFile(file)
		if p != nil {
			p.message = "the schedule can't be read: " + p.message
			if p.code == "is-folder" {
				p.next = "Name one file in it."
			}
			return nil, p
		}
		text = string(read)
	case arg == standardInput:
		read, p := t.readInput("schedule")
		if p != nil {
			return nil, p
		}
		text = string(read)
	}
	steps, err := schedule.Parse(text)
	if err != nil {
		p := problemOf(err, nil)
		var syntax *schedule.SyntaxError
		if isFile && errors.As(err, &syntax) {
			p.message, p.where, p.file, p.line = syntax.Message, fmt.Sprintf("%s:%d", file, syntax.Line), file, syntax.Line
		}
		return nil, p
	}
	if info, err := os.Stat(arg); len(steps) == 1 && !isFile && err == nil && !info.IsDir() {
		return nil, wrongInput("bad-schedule", quote(arg)+" is a file, and no step", "Write --schedule @"+shellQuote(arg)+" to read it.")
	}
	return steps, nil
}
