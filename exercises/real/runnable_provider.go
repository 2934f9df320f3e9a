package real

import "github.com/ackademy/ackademy/sim"

// runnableProvider tells whether the provider of a real run plays by a
// provider's rules, or what is nearest.
func runnableProvider(file string, p *sim.Provider, f *sim.Faults) error {
	switch {
	case p.Takes > 0:
		return inputError("not_for_real", "Leave takes out; a timeout alone can be run.", nil,
			"%s: requests to %s take time, and the real one answers at once", file, p.Name)
	case p.StoresRefusals && f.Limit[sim.RefusedCall] > 0:
		return inputError("not_for_real", "Write rejects = \"not_stored\", or leave refused out of the faults.", nil,
			"%s: %s remembers refusals under their key, and the real one doesn't", file, p.Name)
	case p.Lookup:
		return inputError("not_for_real", "Write lookup = False where no handler asks.", nil,
			"%s: %s can be asked for an email, and the real one can't", file, p.Name)
	}
	return nil
}
