package main

import (
	"fmt"
	"strings"
)

// command is one thing that the program can do.
type command struct {
	name    string
	args    string // how its arguments are written
	summary string // one line for the list of commands
	help    string // what it does, with examples
	options []option
	run     func(t *terminal, positional []string) int
}

// commands lists the commands in the order of the help. They are made anew for
// each call, because options write into variables of their own.
func commands() []command {
	return []command{serveCommand(), openCommand(), checkCommand(), runCommand(), windowsCommand(), compareCommand(), gradeCommand(), newCommand(), profileCommand(), languageCommand(), versionCommand()}
}

// command carries out the arguments of the program.
func (t *terminal) command(args []string) int {
	name, rest := "serve", args
	if len(args) > 0 && (!strings.HasPrefix(args[0], "-") || isHelp(args[0])) {
		name, rest = args[0], args[1:]
	} else if len(args) == 1 && args[0] == "--version" {
		name, rest = "version", nil
	}
	if name == "help" || isHelp(name) {
		return t.helpCommand(rest)
	}
	c, known := findCommand(name)
	if !known {
		return t.problem(noCommand(name))
	}
	positional, help, err := parse(c.options, rest)
	switch {
	case help:
		t.print(c.text())
		return exitGood
	case err != nil:
		err.next += " `ackademy " + c.name + " --help` tells what there is."
		return t.problem(err)
	}
	return c.run(t, positional)
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func findCommand(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

func noCommand(name string) *problem {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	next := "`ackademy help` lists the commands."
	if strings.HasSuffix(name, ".star") {
		next = "Write `ackademy check " + name + "` or `ackademy run " + name + "`."
	} else if near := nearest(name, append(names, "help")); near != "" {
		next = "Did you mean " + near + "? " + next
	}
	return wrongInput("no-command", "there is no command "+quote(name), next)
}

// helpCommand prints the list of commands, or the help of one.
func (t *terminal) helpCommand(args []string) int {
	if len(args) > 0 {
		c, known := findCommand(args[0])
		if !known {
			return t.problem(noCommand(args[0]))
		}
		t.print(c.text())
		return exitGood
	}
	t.print("Ackademy: did the job happen, and who knows it?\n\nUsage:\n\n")
	for _, c := range commands() {
		t.print(fmt.Sprintf("  %-36s %s\n", strings.TrimSpace("ackademy "+c.name+" "+c.args), c.summary))
	}
	t.print("  ackademy help COMMAND                what it does, with examples\n\n" +
		"Without a command it serves the workbook to a browser on this machine.\n\n" + exitText())
	return exitGood
}

// text is the help of a command.
func (c *command) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "Usage: ackademy %s\n\n%s\n", strings.TrimSpace(c.name+" [OPTIONS] "+c.args), strings.TrimSpace(c.help))
	if len(c.options) > 0 {
		out.WriteString("\nOptions:\n\n")
		for _, o := range c.options {
			name := "--" + o.name
			if o.value != "" {
				name += " " + o.value
			}
			fmt.Fprintf(&out, "  %-20s %s\n", name, strings.ReplaceAll(o.text, "\n", "\n"+strings.Repeat(" ", 23)))
		}
	}
	out.WriteString("\n" + exitText())
	return out.String()
}

func exitText() string {
	var out strings.Builder
	out.WriteString("Exit status:\n\n")
	for status, meaning := range exitMeanings {
		fmt.Fprintf(&out, "  %d  %s\n", status, meaning)
	}
	out.WriteString("\n`go run` turns every failure into status 1. Where the status matters, build first:\n\n" +
		"  go build -o ackademy ./cmd/ackademy\n")
	return out.String()
}
