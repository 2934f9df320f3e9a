package script

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ackademy/ackademy/sim"
)

// FuzzLoad: whatever the text is, loading it and running its handlers gives a
// scenario or an *Error with a next step, and soon. No text may panic.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/scenarios/*.star", "testdata/errors/*.star"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			for _, chunk := range strings.Split(string(text), "---\n") {
				f.Add(chunk)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		began := time.Now()
		s, err := Load("fuzz.star", []byte(src))
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Code == "" || e.Message == "" || e.Next == "" {
				t.Fatalf("an incomplete error: %#v", err)
			}
			return
		}
		left := 3 // handlers with inputs; more of them only take longer
		eachInput(s, func(h sim.HandlerID, in sim.Input) {
			if left--; left < 0 {
				return
			}
			reach(s, s.Program.Start(h, in), 100, func(n sim.Node) {
				call := s.Program.Call(n)
				if call.Verb == sim.VerbMistake && s.Mistake(&sim.MistakeError{Node: n}) == nil {
					t.Fatalf("a mistake without an error: %q", call.Text)
				}
			})
		})
		if took := time.Since(began); took > time.Minute {
			t.Fatalf("took %v", took)
		}
	})
}
