package kit

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ackademy/ackademy/exercises/kit/wire"
)

// Answer is what a handler tells the broker about a delivery.
type Answer string

const (
	Applied   Answer = "applied"   // the effect was made and is committed
	Duplicate Answer = "duplicate" // this operation had been applied before
	Conflict  Answer = "conflict"  // the same operation id with another amount: refused
)

// Delivery is one attempt to hand an operation to the handler.
type Delivery struct {
	Operation string // names the wish; every copy of it carries the same name
	Amount    int64
	Token     string // names this attempt; a copy carries another one

	settle func(Answer) error
}

// Answer settles the delivery: it will not come again. It is a boundary like
// any database call, and it may be called once.
func (d Delivery) Answer(answer Answer) error { return d.settle(answer) }

// Consume hands each delivery to handle, in order, until there are no more. It
// returns only then; an error of handle ends the process with status 1.
func Consume(handle func(*Store, Delivery) error) {
	answers := os.Stdout
	os.Stdout = os.Stderr
	if err := consume(handle, answers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func consume(handle func(*Store, Delivery) error, answers io.Writer) error {
	gate, err := openGate()
	if err != nil {
		return err
	}
	store, err := openStore(gate, os.Getenv(wire.EnvDatabase))
	if err != nil {
		return err
	}
	input := bufio.NewReader(os.Stdin)
	for {
		work, err := receive(gate, input)
		if errors.Is(err, io.EOF) {
			return store.close()
		}
		if err != nil {
			return err
		}
		settled := false
		work.settle = func(answer Answer) error {
			if settled {
				return fmt.Errorf("delivery %s of %s was answered twice", work.Token, work.Operation)
			}
			settled = true
			return send(gate, answers, wire.Answer{Token: work.Token, Answer: string(answer)})
		}
		if err := handle(store, work); err != nil {
			return fmt.Errorf("handling %s: %w", work.Operation, err)
		}
		if !settled {
			return fmt.Errorf("handling %s: the handler returned without an answer", work.Operation)
		}
	}
}

// receive waits for the next delivery. The end of the input is io.EOF.
func receive(gate *gate, input *bufio.Reader) (Delivery, error) {
	var raw wire.Delivery
	err := gate.cross(wire.KindReceive, "receive", func() error {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return err
		}
		if err := json.Unmarshal(line, &raw); err != nil {
			return fmt.Errorf("the delivery %q is not understood: %w", line, err)
		}
		return nil
	})
	return Delivery{Operation: raw.Operation, Amount: raw.Amount, Token: raw.Token}, err
}

func send(gate *gate, answers io.Writer, answer wire.Answer) error {
	return gate.cross(wire.KindAnswer, "answer "+answer.Answer, func() error {
		return json.NewEncoder(answers).Encode(answer)
	})
}
