package sim

// PossibleAnswers lists every answer that a call can get in this scenario, in
// a fixed order, and whether the list is known to be finite and whole. A front
// end uses it to find nodes with the same remaining program; a list that is
// too long costs time, one that is too short would be a mistake of ours, so
// the world checks each answer it gives against it in the tests.
func PossibleAnswers(sc *Scenario, c *Call) ([]Answer, bool) {
	switch c.Verb {
	case VerbGet, VerbSelect, VerbCount, VerbChange, VerbRemove, VerbClaim, VerbFreshID, VerbRecall:
		return nil, false
	case VerbOneOf:
		return options(sc, c), true
	case VerbStopping:
		return []Answer{{Value: False}, {Value: True}}, true
	}
	if c.Verb == VerbInsert && sc.Databases[c.Party].Tables[c.Table].Sequence {
		return nil, false
	}
	if c.NoStep() {
		return []Answer{{}}, true
	}
	if c.Verb == VerbRedrive || anyBatch(sc, c) {
		return nil, false // any number
	}
	list := append(works(sc, c), lockAnswers(sc, c)...)
	if isSend(sc, c) {
		if c.Verb != VerbPublish && c.Verb != VerbAccept && c.Verb != VerbRefuse {
			list = append(list, Answer{Code: Gone})
		}
		return list, true
	}
	f := &sc.Faults
	if (f.Limit[RefusedCall] > 0 || hasMaxLease(sc, c) || ordersAcks(sc, c) || canBeDown(sc, c)) && canBeRefused(c.Verb) {
		list = append(list, Answer{Code: Refused})
	}
	if boundaryOf(sc, c) != InProcess {
		if f.Limit[LostRequest]+f.Limit[LostReply]+f.Limit[Late] > 0 || c.Verb == VerbWait && f.Limit[ConnectionLost]+f.Limit[BrokerRestart] > 0 {
			list = append(list, Answer{Code: Timeout})
		}
		if f.Limit[LostRequest]+f.Limit[LostReply]+f.Limit[Late]+f.Limit[ConnectionLost]+f.Limit[BrokerRestart]+f.Limit[DatabaseRestart] > 0 || losesChannels(sc, c) {
			list = append(list, Answer{Code: Gone})
		}
	}
	return list, true
}

// works lists the answers of a call that reached its party.
func works(sc *Scenario, c *Call) []Answer {
	switch c.Verb {
	case VerbInsert:
		if sc.Databases[c.Party].Tables[c.Table].Key == "" {
			return []Answer{{Value: True}} // nothing can stand in the way
		}
		if c.Mode == ModeStrict {
			return []Answer{{Value: True}, {Code: Conflict}}
		}
		return []Answer{{Value: True}, {Value: False}}
	case VerbPutNewer, VerbUpdate, VerbDelete, VerbExists:
		return []Answer{{Value: True}, {Value: False}}
	case VerbSnapshot:
		return []Answer{{Value: True}}
	case VerbTryLock, VerbUnlock, VerbRestore:
		return []Answer{{Value: True}, {Value: False}}
	case VerbSend:
		return sendAnswers(sc, c)
	case VerbSendBatch:
		return batchAnswers(sc, c)
	case VerbPublish, VerbWait:
		return confirms(sc, c)
	case VerbLookup, VerbCancel:
		return []Answer{{Value: True}, {Value: False}}
	case VerbCommitOffset, VerbSendOffsets, VerbCommitLog, VerbAbortLog:
		return []Answer{{}, {Code: Fenced}}
	case VerbAck, VerbNack, VerbReject:
		if answersStale(&sc.Queues[c.Party], c.Verb) {
			return []Answer{{}, {Code: Stale}}
		}
	case VerbExtend:
		return extendAnswers(sc, c)
	}
	return []Answer{{}}
}

// lockAnswers lists what the locks and snapshots of a database can answer.
func lockAnswers(sc *Scenario, c *Call) []Answer {
	if partyOf(c.Verb) != partyDatabase || c.Verb == VerbRollback || c.Verb == VerbRollbackTo {
		return nil
	}
	db := &sc.Databases[c.Party]
	var codes []Code
	statement := c.Verb != VerbBegin && c.Verb != VerbCommit && c.Verb != VerbSavepoint
	switch {
	case db.Isolation == SingleWriter:
		if c.Verb != VerbSavepoint && (db.Limited || db.Modes) {
			codes = append(codes, Busy)
		}
	case c.Mode == ModeAborted:
		codes = append(codes, Aborted)
	case c.Verb == VerbCommit:
		if db.Modes {
			codes = append(codes, Serialization)
		}
	case c.Verb == VerbLock:
		if db.Deadlock > 0 {
			codes = append(codes, Deadlock)
		}
		if db.Limited {
			codes = append(codes, LockTimeout)
		}
	case statement && (isWrite(c.Verb) || c.Mode == ModeLock):
		if db.Modes {
			codes = append(codes, Serialization)
		}
		if db.Deadlock > 0 && c.InTx {
			codes = append(codes, Deadlock)
		}
		if db.Limited {
			codes = append(codes, LockTimeout)
		}
	}
	var list []Answer
	for _, code := range codes {
		list = append(list, Answer{Code: code})
	}
	return list
}

// isSend tells whether the caller goes on without waiting for an answer.
func isSend(sc *Scenario, c *Call) bool {
	switch c.Verb {
	case VerbPublish:
		return !c.Confirm // one that is awaited later too
	case VerbAck, VerbNack, VerbReject, VerbExtend:
		return !sc.Queues[c.Party].AckAnswers
	case VerbAccept, VerbRefuse:
		return true
	}
	return false
}

// canBeRefused leaves out what has no party that could refuse.
func canBeRefused(v Verb) bool {
	switch v {
	case VerbWork, VerbSleep, VerbOneOf, VerbRollback, VerbRollbackTo, VerbBeginLog, VerbWait:
		return false
	}
	return true
}

// partyKind is the kind of party that a verb speaks to.
type partyKind uint8

const (
	partyNone partyKind = iota
	partyQueue
	partyDatabase
	partyProvider
	partyCaller
)

func partyOf(v Verb) partyKind {
	switch v {
	case VerbPublish, VerbAck, VerbNack, VerbReject, VerbExtend, VerbWait, VerbCancel, VerbRedrive, VerbCommitOffset, VerbCommitAfter, VerbSendOffsets, VerbCommitLog, VerbAbortLog:
		return partyQueue
	case VerbBegin, VerbInsert, VerbPut, VerbPutNewer, VerbUpdate, VerbAdd, VerbDelete, VerbGet, VerbExists, VerbCommit, VerbRollback,
		VerbSavepoint, VerbRollbackTo, VerbSelect, VerbCount, VerbChange, VerbRemove, VerbClaim,
		VerbLock, VerbTryLock, VerbUnlock, VerbSnapshot, VerbRestore:
		return partyDatabase
	case VerbSend, VerbSendBatch, VerbLookup:
		return partyProvider
	case VerbAccept, VerbRefuse:
		return partyCaller
	}
	return partyNone
}

// boundaryOf tells what lies between the caller and the party of this call.
func boundaryOf(sc *Scenario, c *Call) Boundary {
	switch partyOf(c.Verb) {
	case partyQueue:
		return sc.Queues[c.Party].Boundary
	case partyDatabase:
		return sc.Databases[c.Party].Boundary
	case partyProvider:
		return sc.Providers[c.Party].Boundary
	case partyCaller:
		return Request
	}
	return InProcess
}

// ProfileOf names the profile of the queue or the database that a call speaks
// to. It is empty where a call speaks to neither.
func (sc *Scenario) ProfileOf(c *Call) string {
	switch partyOf(c.Verb) {
	case partyQueue:
		return sc.Queues[c.Party].Profile
	case partyDatabase:
		return sc.Databases[c.Party].Profile
	}
	if c.Verb == VerbBeginLog { // asks nobody, but of a log
		return sc.Queues[c.Party].Profile
	}
	return ""
}

// BoundaryOf tells what lies between whoever calls and the party of the call;
// InProcess where a call speaks to nobody.
func (sc *Scenario) BoundaryOf(c *Call) Boundary { return boundaryOf(sc, c) }

// timeoutOf is how long a caller waits for an answer that does not come.
func timeoutOf(sc *Scenario, c *Call) Seconds {
	switch partyOf(c.Verb) {
	case partyQueue:
		return sc.Queues[c.Party].Timeout
	case partyDatabase:
		return sc.Databases[c.Party].Timeout
	case partyProvider:
		return sc.Providers[c.Party].Timeout
	}
	return 0
}

// confirms lists what a publisher that waits can be told by the broker.
func confirms(sc *Scenario, c *Call) []Answer {
	if c.Verb == VerbPublish && !c.Confirm {
		return []Answer{{}}
	}
	if c.InTx {
		return []Answer{{}, {Code: Fenced}}
	}
	q := &sc.Queues[c.Party]
	list := []Answer{{}}
	switch {
	case q.Unbound && (q.UnboundFails || c.Post.Mandatory):
		list = []Answer{{Code: Unroutable}}
	case tellsDuplicates(sc, c):
		list = []Answer{{Value: False}, {Value: True}}
	}
	full := q.MaxLength > 0 && !q.DropsHead
	if full && sc.Faults.Limit[RefusedCall] == 0 || c.Verb == VerbWait && (full || sc.Faults.Limit[RefusedCall] > 0) {
		list = append(list, Answer{Code: Refused})
	}
	return list
}

// losesChannels tells whether a broker may close the channel of a delivery
// without a fault.
func losesChannels(sc *Scenario, c *Call) bool {
	return isSettle(c.Verb) && sc.Queues[c.Party].ExpiryCloses
}
