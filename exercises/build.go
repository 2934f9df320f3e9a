package exercises

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// locate finds the program to grade: the one that was named, or the exercise's
// folder in a checkout, or the one that Init made.
func locate(exercise Exercise, options Options) (string, error) {
	if options.Program != "" {
		program := options.Program
		if !filepath.IsAbs(program) {
			program = filepath.Join(options.Folder, program)
		}
		if _, err := os.Stat(program); err != nil {
			return "", inputError("no_program", program, "there is no such file or folder",
				"Give the path of your Go file, its folder, or an executable.", err)
		}
		return filepath.Abs(program)
	}
	for _, folder := range []string{filepath.Join("exercises", exercise.Slug), exercise.Slug, "."} {
		folder = filepath.Join(options.Folder, folder)
		if _, err := os.Stat(filepath.Join(folder, exercise.Stub)); err == nil {
			return filepath.Abs(folder)
		}
	}
	return "", inputError("no_program", "", "your program for exercise "+exercise.ID+" was not found here",
		"Run `ackademy grade "+exercise.ID+" --init "+exercise.Slug+"` to get a copy to work on, or name your program with --program.", nil)
}

// compile returns the command line of a program. An executable is taken as it
// is; Go is built, in its own module if that knows the kit, else in a copy of
// the one that Init makes.
func compile(ctx context.Context, program, scratch string) ([]string, error) {
	info, err := os.Stat(program)
	if err != nil {
		return nil, inputError("no_program", program, "the program can't be read", "Check the path.", err)
	}
	if !info.IsDir() && filepath.Ext(program) != ".go" {
		if info.Mode()&0o111 == 0 {
			return nil, inputError("not_a_program", program, "this is neither a Go file, nor a folder, nor an executable",
				"Name your .go file or its folder.", nil)
		}
		return []string{program}, nil
	}
	compiler, err := exec.LookPath("go")
	if err != nil {
		return nil, inputError("no_go_toolchain", "", "the go command was not found, and your program has to be compiled",
			"Install Go from https://go.dev/dl/ and make sure that `go version` works in this terminal.", err)
	}
	folder, target := program, "."
	if !info.IsDir() {
		folder, target = filepath.Dir(program), filepath.Base(program)
	}
	if !knowsKit(folder) {
		if folder, err = stage(program, info, scratch); err != nil {
			return nil, err
		}
		target = "."
	}
	binary := filepath.Join(scratch, "program")
	// -s -w leaves out what only a debugger needs: linking takes half the time.
	limited, cancel := context.WithTimeout(ctx, compileTime)
	defer cancel()
	command := exec.CommandContext(limited, compiler, "build", "-buildvcs=false", "-ldflags=-s -w", "-o", binary, target)
	command.Dir = folder
	output, err := command.CombinedOutput()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if limited.Err() != nil {
		return nil, &Error{
			Code: "compile_time", Message: "compiling took more than " + compileTime.String(), Position: program, Exit: ExitUndecided,
			Next: "The first build compiles SQLite and takes long on a slow machine. Run `go build` in " + folder + " once, then grade again.", cause: limited.Err(),
		}
	}
	if err != nil {
		if target == "." && strings.HasPrefix(folder, scratch) {
			folder = "" // the copy is gone when the learner reads this
		}
		return nil, compileError(program, folder, output, err)
	}
	if info, err := os.Stat(binary); err != nil || info.Mode()&0o111 == 0 {
		return nil, inputError("not_a_program", program, "this Go package is no program", "It needs `package main` and a main function.", err)
	}
	return []string{binary}, nil
}

var positionPattern = regexp.MustCompile(`(?m)^(?:\./|vet: )?([^\s:]+\.go:\d+(?::\d+)?): `)

// compileError shows the compiler's own words, which name file and line.
func compileError(program, folder string, output []byte, cause error) error {
	position := program
	if match := positionPattern.FindSubmatch(output); match != nil {
		position = string(match[1])
	}
	text := plain(strings.TrimSpace(string(output)))
	next := "Correct it and grade again."
	if folder != "" {
		next += " `go build` in " + folder + " shows the same."
	}
	return inputError("does_not_compile", position, "the program does not compile:\n"+text, next, cause)
}

// knowsKit tells whether the nearest go.mod is this module's or requires it.
func knowsKit(folder string) bool {
	for {
		text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
		if err == nil {
			return bytes.Contains(text, []byte(modulePath))
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return false
		}
		folder = parent
	}
}

const modulePath = "github.com/ackademy/ackademy"

// stage copies a loose Go file, or the Go files of a folder, into a module of
// their own in the scratch folder.
func stage(program string, info fs.FileInfo, scratch string) (string, error) {
	folder := filepath.Join(scratch, "build")
	if err := writeModule(folder); err != nil {
		return "", ourFault("preparing the build", err)
	}
	files := []string{program}
	if info.IsDir() {
		var err error
		if files, err = filepath.Glob(filepath.Join(program, "*.go")); err != nil || len(files) == 0 {
			return "", inputError("no_program", program, "there is no Go file in this folder", "Name your .go file or its folder.", err)
		}
	}
	for _, file := range files {
		if err := copyFile(file, filepath.Join(folder, filepath.Base(file))); err != nil {
			return "", inputError("no_program", file, "the file can't be read", "Check its permissions.", err)
		}
	}
	return folder, nil
}

// Init copies what a learner needs into a folder: the stub, the statement, and
// a module with the kit beside them, so that `go build` and an editor work
// there. It returns the paths it wrote and overwrites nothing.
func Init(name, folder string) ([]string, error) {
	exercise, err := Find(name)
	if err != nil {
		return nil, err
	}
	var written []string
	for _, file := range []string{exercise.Stub, exercise.Statement} {
		target := filepath.Join(folder, file)
		if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
			return nil, inputError("exists", target, "the file is there already and is not overwritten", "Choose another folder.", err)
		}
		written = append(written, target)
	}
	if err := writeModule(folder); err != nil {
		return nil, cannotWrite(folder, err)
	}
	for i, file := range []string{exercise.Stub, exercise.Statement} {
		if err := os.WriteFile(written[i], []byte(exercise.Text(file)), 0o644); err != nil {
			return nil, cannotWrite(written[i], err)
		}
	}
	return append(written, filepath.Join(folder, "go.mod")), nil
}

func cannotWrite(path string, cause error) error {
	return inputError("cannot_write", path, "the file can't be written", "Choose a folder in which you may write.", cause)
}

// writeModule makes a module that imports the kit from a folder beside it. The
// kit keeps its import path, so that a program is the same inside and outside
// of a checkout. A go.mod that is there already is kept.
func writeModule(folder string) error {
	kit := filepath.Join(folder, ".ackademy")
	files := map[string]string{
		filepath.Join(folder, "go.mod"): "outside/go.mod.txt",
		filepath.Join(folder, "go.sum"): "outside/go.sum.txt",
		filepath.Join(kit, "go.mod"):    "outside/kit.mod.txt",
		filepath.Join(kit, "go.sum"):    "outside/go.sum.txt",
	}
	for _, pattern := range []string{"kit/*.go", "kit/wire/*.go"} {
		names, err := fs.Glob(content, pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				files[filepath.Join(kit, "exercises", filepath.FromSlash(name))] = name
			}
		}
	}
	for target, source := range files {
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if _, err := os.Stat(target); err == nil {
			continue
		}
		if err := os.WriteFile(target, read(source), 0o644); err != nil {
			return err
		}
	}
	return nil
}
