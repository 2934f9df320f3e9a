package tell

import (
	"testing"

	"github.com/ackademy/ackademy/sim"
)

func TestEveryFaultHasANoun(t *testing.T) {
	for _, k := range sim.FaultKinds() {
		if nouns := faultNouns[k]; nouns[0] == "" || nouns[1] == "" {
			t.Errorf("%s has no words", k)
		}
	}
}
