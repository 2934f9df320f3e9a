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

// scenarios lists the files that the arguments name: each file, and of each
// folder every .star below it, in the order of their names.
func scenarios(args []string) []found {
	var list []found
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
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

// load reads a scenario and gives it the budget of faults that was asked for.
func load(path string, budget *budget) (*script.Scenario, *problem) {
	text, p := readFile(path)
	if p != nil {
		return nil, p
	}
	sc, err := script.Load(path, text)
	if err != nil {
		return nil, problemOf(err, nil)
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
	switch file, isFile := strings.CutPrefix(arg, "@"); {
	case isFile:
		read, p := readFile(file)
		if p != nil {
			return nil, p
		}
		text = string(read)
	case arg == "-":
		read, err := io.ReadAll(io.LimitReader(t.stdin, maxFile))
		if err != nil {
			return nil, wrongInput("unreadable", fmt.Sprintf("standard input can't be read: %v", err), "Give the schedule as an argument or as @file.")
		}
		text = string(read)
	}
	steps, err := schedule.Parse(text)
	if err != nil {
		return nil, problemOf(err, nil)
	}
	return steps, nil
}
