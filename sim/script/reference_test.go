package script

import (
	"reflect"
	"testing"

	"github.com/ackademy/ackademy/sim/profile"
)

func fieldNames(v any) []string {
	var names []string
	for i := range reflect.TypeOf(v).NumField() {
		names = append(names, reflect.TypeOf(v).Field(i).Name)
	}
	return names
}

// A language reference is made of the bindings, so each says what it is.
func TestReferenceIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range Reference() {
		name := b.Of + "." + b.Name
		if seen[name] {
			t.Errorf("%s is listed twice", name)
		}
		seen[name] = true
		if b.Doc == "" || b.Where != whereTop && b.Where != whereHandler && b.Where != whereBoth {
			t.Errorf("%s has no documentation or place", name)
		}
		if b.Of != "" && b.Stands == "" {
			t.Errorf("%s doesn't say which statement or frame it stands for", name)
		}
		if b.do != nil {
			t.Errorf("%s gives its function away", name)
		}
		optional := false
		for _, p := range b.Params {
			if p.Type == "" || p.Name == "" {
				t.Errorf("%s has a parameter without name or type", name)
			}
			if p.required() && optional {
				t.Errorf("%s needs %s after an optional parameter", name, p.Name)
			}
			optional = optional || !p.required()
		}
	}
	for _, want := range []string{".queue", "queue.publish", "delivery.ack", "database.begin", "transaction.commit", ".attempt"} {
		if !seen[want] {
			t.Errorf("%s is missing", want)
		}
	}
}

// The knobs that profiles give facts about are parameters of the language.
func TestProfilesSpeakOfParameters(t *testing.T) {
	params := map[string]map[string]bool{}
	for _, b := range Reference() {
		if params[b.Name] == nil {
			params[b.Name] = map[string]bool{}
		}
		for _, p := range b.Params {
			params[b.Name][p.Name] = true
		}
	}
	check := func(call, name string, facts []profile.Fact) {
		for _, f := range facts {
			if !params[call][f.Knob] {
				t.Errorf("profile %s speaks of %s, which is no parameter of %s", name, f.Knob, call)
			}
		}
	}
	for _, q := range profile.Queues() {
		check("queue", q.Name, q.Facts)
	}
	for _, l := range profile.Logs() {
		for _, f := range l.Facts {
			if !params["log"][f.Knob] && !params["consumer"][f.Knob] && !params["publish"][f.Knob] {
				t.Errorf("profile %s speaks of %s, which is no parameter of log, publish or consumer", l.Name, f.Knob)
			}
		}
	}
	for _, d := range profile.Databases() {
		check("database", d.Name, d.Facts)
	}
	for _, p := range profile.Providers() {
		check("provider", p.Name, p.Facts)
	}
}
