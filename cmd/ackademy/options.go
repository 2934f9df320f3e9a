package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// option is a flag. The standard flag package stops at the first argument that
// is no flag and reports errors as text alone; people write options behind
// files, and an error here says what to do.
type option struct {
	name  string
	value string // what its value is called; "": a switch
	text  string
	set   func(value string) *problem
}

// parse takes the options out of the arguments.
func parse(options []option, args []string) (positional []string, help bool, err *problem) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return append(positional, args[i+1:]...), false, nil
		case isHelp(arg):
			return nil, true, nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			positional = append(positional, arg)
			continue
		}
		name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		o := find(options, name)
		switch {
		case o == nil:
			return nil, false, unknownOption(options, name)
		case o.value == "" && given:
			return nil, false, wrongInput("bad-option", "--"+name+" takes no value", "Write --"+name+" alone.")
		case o.value != "" && !given:
			if i++; i == len(args) {
				return nil, false, wrongInput("bad-option", "--"+name+" needs a value", "Write --"+name+" "+o.value+".")
			}
			value = args[i]
		}
		if err := o.set(value); err != nil {
			return nil, false, err
		}
	}
	return positional, false, nil
}

func find(options []option, name string) *option {
	for i := range options {
		if options[i].name == name {
			return &options[i]
		}
	}
	return nil
}

func unknownOption(options []option, name string) *problem {
	var names []string
	for _, o := range options {
		names = append(names, o.name)
	}
	next := "Leave it out."
	if near := nearest(name, names); near != "" {
		next = "Did you mean --" + near + "?"
	}
	return wrongInput("unknown-option", "there is no option --"+name, next)
}

// The kinds of options.

func onSwitch(to *bool, name, text string) option {
	return option{name: name, text: text, set: func(string) *problem { *to = true; return nil }}
}

func textOption(to *string, name, value, text string) option {
	return option{name: name, value: value, text: text, set: func(s string) *problem { *to = s; return nil }}
}

func countOption(to *int, name, text string, least, most int) option {
	return option{name: name, value: "N", text: text, set: func(s string) *problem {
		n, err := strconv.Atoi(strings.ReplaceAll(s, "_", ""))
		if err != nil || n < least || n > most {
			return wrongInput("bad-option", fmt.Sprintf("--%s can't be %s", name, quote(s)), fmt.Sprintf("Give a whole number from %d to %d.", least, most))
		}
		*to = n
		return nil
	}}
}

func timeOption(to *time.Duration, name, text string) option {
	return option{name: name, value: "TIME", text: text, set: func(s string) *problem {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return wrongInput("bad-option", fmt.Sprintf("--%s can't be %s", name, quote(s)), "Give a time with its unit, like 30s or 5m.")
		}
		*to = d
		return nil
	}}
}
