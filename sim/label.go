package sim

// Attribution: a label says to which intent a piece of data belongs. It
// travels from the request to the message, from the message to the delivery
// and from there to whatever the handler writes or calls; a row hands its label
// to whoever reads it. No handler can read a label.

// labelOf is the intent that a call of process p works for.
func (x *step) labelOf(p int, c *Call) labelID {
	return x.proc(p).label
}

// handOn gives the handler of process p what it reads: a row with this label.
func (x *step) handOn(p int, l labelID) {}
