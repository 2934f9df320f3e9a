package real

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ackademy/ackademy/sim"
)

// The protocol between the referee and its children: one JSON object per line,
// requests on the child's standard input, replies on its standard output. Each
// side numbers values for itself, so they cross as JSON.

// maxLine bounds a line. The longest is the setup with the scenario's text: 64
// KiB, which JSON can make six times as long.
const maxLine = 1 << 20

// request is what the referee tells a child.
type request struct {
	Do string `json:"do"`

	Setup   *setup  `json:"setup,omitempty"`   // setup
	Handler int     `json:"handler,omitempty"` // start
	Op      value   `json:"op,omitzero"`       // start
	Body    value   `json:"body,omitzero"`     // start
	Attempt uint8   `json:"attempt,omitempty"` // start
	Answer  *result `json:"answer,omitempty"`  // answer
	Fault   string  `json:"fault,omitempty"`   // arm
	Process string  `json:"process,omitempty"` // cut, gone
	Now     int64   `json:"now,omitempty"`     // arm, forget: seconds on the referee's clock
	Key     value   `json:"key,omitzero"`      // forget
}

// The requests. A worker is told setup, start, try, resume, answer; a provider
// setup, arm, forget, count; a database server setup, arm, cut, gone.
const (
	doSetup  = "setup"
	doStart  = "start"  // a request or delivery came: run the handler
	doTry    = "try"    // make the call you are parked at, for real
	doResume = "resume" // go on with what you were told for real
	doAnswer = "answer" // go on with this answer; do not make the call
	doArm    = "arm"    // let this fault strike the next call
	doForget = "forget" // a key's retention has ended
	doCount  = "count"  // how many requests came?
	doCut    = "cut"    // cut this process's connection
	doGone   = "gone"   // wait until this process's connection is cleaned up
)

// reply is what a child answers.
type reply struct {
	Is      string  `json:"is"`
	Call    *call   `json:"call,omitempty"`   // parked
	Result  *result `json:"result,omitempty"` // tried
	Arrived int     `json:"arrived,omitempty"`
	Read    int     `json:"read,omitempty"`
	Text    string  `json:"text,omitempty"` // failed: what is wrong
}

// The replies.
const (
	isReady  = "ready"  // set up
	isParked = "parked" // stands before a call, or at the handler's end
	isTried  = "tried"  // made the call (or, at the end, rolled back what was open)
	isDone   = "done"   // a party did what it was told
	isFailed = "failed" // the child can't go on
)

// setup is what a child must know before anything else.
type setup struct {
	Process   string        `json:"process,omitempty"` // worker: its name
	File      string        `json:"file,omitempty"`    // worker: the scenario's file name
	Source    string        `json:"source,omitempty"`  // worker: its text
	Databases []dbSetup     `json:"databases,omitempty"`
	Providers []string      `json:"providers,omitempty"` // worker: their sockets
	Provider  *sim.Provider `json:"provider,omitempty"`
	Socket    string        `json:"socket,omitempty"` // provider, server: where to listen
	Mailbox   string        `json:"mailbox,omitempty"`
	Patience  int64         `json:"patience"` // nanoseconds
}

// dbSetup is a database: its file, or the socket of the server before it.
type dbSetup struct {
	File   string       `json:"file,omitempty"`
	Socket string       `json:"socket,omitempty"`
	Tables []tableSetup `json:"tables"`
}

// tableSetup is a table with every column that the run speaks of, sorted, the
// key among them.
type tableSetup struct {
	Name    string   `json:"name"`
	Key     string   `json:"key,omitempty"`
	Version string   `json:"version,omitempty"`
	Columns []string `json:"columns"`
	Given   []value  `json:"-"` // rows that stand from the start: whoever makes the file writes them
}

// call is sim.Call with its values written out.
type call struct {
	Verb    string `json:"verb"`
	Party   int16  `json:"party"`
	Table   int16  `json:"table"`
	Mode    string `json:"mode,omitempty"`
	InTx    bool   `json:"in_tx,omitempty"`
	Confirm bool   `json:"confirm,omitempty"`
	Op      value  `json:"op,omitzero"`
	Key     value  `json:"key,omitzero"`
	Body    value  `json:"body,omitzero"`
	Where   value  `json:"where,omitzero"`
	Order   value  `json:"order,omitzero"`
	Limit   int32  `json:"limit,omitempty"`
	Seconds int64  `json:"seconds,omitempty"`
	Code    string `json:"code,omitempty"`
	Text    string `json:"text,omitempty"`
}

// result is how a call came out.
type result struct {
	Code  string `json:"code"`
	Value value  `json:"value,omitzero"`
	Busy  bool   `json:"busy,omitempty"` // a lock is in the way: nothing happened
	// Failure is what no rule of the world foresees; Disk: the file could not
	// be written or read.
	Failure string `json:"failure,omitempty"`
	Disk    bool   `json:"disk,omitempty"`
}

// value is a sim.Value outside a table of values: nil, bool, int64, string,
// map[string]value, []value or term.
type value struct{ any }

// term is a sim.Value of the kind KindTerm. No field of a record can be called
// $term.
type term struct {
	Name  string  `json:"$term"`
	Parts []value `json:"parts"`
}

func (v value) IsZero() bool { return v.any == nil }

// MarshalJSON writes fields sorted, so equal values have equal texts.
func (v value) MarshalJSON() ([]byte, error) { return json.Marshal(v.any) }

// UnmarshalJSON refuses what no sim.Value can be.
func (v *value) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		var t term
		if err := json.Unmarshal(text, &t); err == nil && t.Name != "" {
			v.any = t
			return nil
		}
		fields := map[string]value{}
		if err := json.Unmarshal(text, &fields); err != nil {
			return err
		}
		v.any = fields
		return nil
	}
	if len(text) > 0 && text[0] == '[' {
		list := []value{}
		if err := json.Unmarshal(text, &list); err != nil {
			return err
		}
		v.any = list
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var raw any
	if err := d.Decode(&raw); err != nil {
		return err
	}
	switch raw := raw.(type) {
	case nil, bool, string:
		v.any = raw
		return nil
	case json.Number:
		n, err := raw.Int64()
		v.any = n
		return err
	}
	return fmt.Errorf("%s is no value of the world", text)
}

func outside(vals *sim.Values, id sim.ValueID) value {
	v := vals.Get(id)
	switch v.Kind {
	case sim.KindBool:
		return value{v.Int == 1}
	case sim.KindInt:
		return value{v.Int}
	case sim.KindString:
		return value{v.String}
	case sim.KindRecord:
		fields := map[string]value{}
		for _, f := range v.Fields {
			fields[f.Name] = outside(vals, f.Value)
		}
		return value{fields}
	case sim.KindList:
		return value{outsideParts(vals, v.Fields)}
	case sim.KindTerm:
		return value{term{v.String, outsideParts(vals, v.Fields)}}
	}
	return value{}
}

func outsideParts(vals *sim.Values, parts []sim.Field) []value {
	list := make([]value, len(parts))
	for i, f := range parts {
		list[i] = outside(vals, f.Value)
	}
	return list
}

func inside(vals *sim.Values, v value) sim.ValueID {
	switch raw := v.any.(type) {
	case bool:
		return vals.Bool(raw)
	case int64:
		return vals.Int(raw)
	case string:
		return vals.Str(raw)
	case map[string]value:
		fields := make([]sim.Field, 0, len(raw))
		for name, part := range raw {
			fields = append(fields, sim.Field{Name: name, Value: inside(vals, part)})
		}
		return vals.Record(fields) // sorts them
	case []value:
		return vals.List(insideParts(vals, raw))
	case term:
		return vals.Term(raw.Name, insideParts(vals, raw.Parts)...)
	}
	return sim.None
}

func insideParts(vals *sim.Values, list []value) []sim.ValueID {
	parts := make([]sim.ValueID, len(list))
	for i, v := range list {
		parts[i] = inside(vals, v)
	}
	return parts
}

func outsideCall(vals *sim.Values, c *sim.Call) *call {
	out := &call{Verb: c.Verb.String(), Party: c.Party, Table: c.Table, Mode: c.Mode.String(), InTx: c.InTx, Confirm: c.Confirm,
		Op: outside(vals, c.Op), Key: outside(vals, c.Key), Body: outside(vals, c.Body),
		Where: outside(vals, c.Where), Order: outside(vals, c.Order), Limit: c.Limit, Seconds: int64(c.Seconds), Text: c.Text}
	if c.Code != sim.OK {
		out.Code = c.Code.String()
	}
	return out
}

func outsideAnswer(vals *sim.Values, a sim.Answer) *result {
	return &result{Code: a.Code.String(), Value: outside(vals, a.Value)}
}

// codes finds a code by its name.
var codes = func() map[string]sim.Code {
	m := map[string]sim.Code{}
	for c := sim.OK; c <= sim.Aborted; c++ {
		m[c.String()] = c
	}
	return m
}()

func insideAnswer(vals *sim.Values, r *result) (sim.Answer, error) {
	code, ok := codes[r.Code]
	if !ok {
		return sim.Answer{}, fmt.Errorf("%q is no outcome of a call", r.Code)
	}
	return sim.Answer{Code: code, Value: inside(vals, r.Value)}, nil
}

// text is the canonical JSON of anything on the wire: for comparing, and for
// telling a person.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("real: %#v can't be written as JSON: %v", v, err))
	}
	return string(b)
}
