// The types of wire.go, which explains them. This file is written by
//
//	go test ./web -run TestWireTypes -update

/**
 * @typedef {object} Request
 * @property {string} type
 * @property {string} sim
 * @property {number} seq
 * @property {Start} [start]
 * @property {Command} [command]
 */

/**
 * @typedef {object} Start
 * @property {string} scenario
 * @property {string} [text]
 * @property {string} [budget]
 * @property {string[]} steps
 * @property {number} position
 */

/**
 * @typedef {object} Command
 * @property {string} do
 * @property {string} [action]
 * @property {number} [to]
 * @property {string[]} [steps]
 * @property {number} [seed]
 * @property {string} [text]
 * @property {string} [budget]
 */

/**
 * @typedef {object} Reply
 * @property {string} type
 * @property {string} sim
 * @property {number} seq
 * @property {Snapshot} [snapshot]
 * @property {Problem} [problem]
 * @property {Work} [work]
 */

/**
 * @typedef {object} Work
 * @property {string} of
 * @property {string} state
 * @property {number} states
 * @property {number} depth
 * @property {Progress} [progress]
 * @property {string} bound
 * @property {Found[]} findings
 * @property {string[]} remarks
 * @property {WindowMap} [map]
 * @property {Comparison} [compared]
 * @property {Problem} [problem]
 */

/**
 * @typedef {object} Progress
 * @property {number} frontier
 * @property {number} rate
 * @property {number} part
 * @property {number} parts
 * @property {number} percent
 * @property {string} bounds
 */

/**
 * @typedef {object} Found
 * @property {string} property
 * @property {string} status
 * @property {boolean} forbidden
 * @property {string} sentence
 * @property {string[]} steps
 * @property {number} faults
 * @property {number} needs
 * @property {string} enough
 * @property {string[]} fewest
 * @property {string[]} intents
 */

/**
 * @typedef {object} WindowMap
 * @property {Way[]} always
 * @property {MapHandler[]} handlers
 */

/**
 * @typedef {object} MapHandler
 * @property {string} name
 * @property {string[]} processes
 * @property {Gap[]} gaps
 */

/**
 * @typedef {object} Gap
 * @property {number} line
 * @property {number} column
 * @property {number} last
 * @property {string} call
 * @property {string} text
 * @property {boolean} end
 * @property {number[]} occurrences
 * @property {GapFault[]} faults
 */

/**
 * @typedef {object} GapFault
 * @property {string} kind
 * @property {string} mark
 * @property {Way[]} ways
 */

/**
 * @typedef {object} Way
 * @property {string} word
 * @property {string[]} steps
 * @property {boolean} fits
 * @property {string[]} intents
 */

/**
 * @typedef {object} Comparison
 * @property {Snapshot} a
 * @property {Snapshot} b
 * @property {string} follows
 * @property {string} shows
 * @property {ComparedRow[]} rows
 * @property {Difference[]} windows
 * @property {string} bound
 */

/**
 * @typedef {object} ComparedRow
 * @property {string} match
 * @property {number} a
 * @property {number} b
 */

/**
 * @typedef {object} Difference
 * @property {string[]} processes
 * @property {string} call
 * @property {number} number
 * @property {string} fault
 * @property {WindowSide} a
 * @property {WindowSide} b
 */

/**
 * @typedef {object} WindowSide
 * @property {string} mark
 * @property {string[]} words
 * @property {boolean} as_ever
 */

/**
 * @typedef {object} Problem
 * @property {string} code
 * @property {string} message
 * @property {string} next
 * @property {string} [file]
 * @property {number} [line]
 * @property {number} [column]
 */

/**
 * @typedef {object} Snapshot
 * @property {Scenario} scenario
 * @property {Process[]} processes
 * @property {Action[]} actions
 * @property {Step[]} steps
 * @property {number} position
 * @property {number} clock
 * @property {boolean} at_rest
 * @property {Budget[]} budget
 * @property {string} note
 * @property {Diagram} diagram
 * @property {Queue[]} queues
 * @property {Table[]} tables
 * @property {Mailbox[]} mailboxes
 * @property {Intent[]} intents
 * @property {string[]} late
 * @property {Outage[]} outages
 */

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} file
 * @property {string} title
 * @property {string} doc
 * @property {string} source
 * @property {string} budget
 */

/**
 * @typedef {object} Process
 * @property {string} name
 * @property {string} kind
 * @property {string} host
 * @property {string} handler
 * @property {string} state
 * @property {string} call
 * @property {number} first
 * @property {number} last
 * @property {string[]} holds
 * @property {string[]} buffer
 * @property {string} open
 * @property {string} memory
 * @property {string} note
 */

/**
 * @typedef {object} Action
 * @property {string} name
 * @property {string} label
 * @property {string} group
 * @property {string} kind
 * @property {string} fault
 * @property {string} frame
 * @property {string} explain
 * @property {boolean} default
 */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} kind
 * @property {string} text
 * @property {number} at
 */

/**
 * @typedef {object} Budget
 * @property {string} kind
 * @property {number} left
 * @property {number} of
 */

/**
 * @typedef {object} Diagram
 * @property {Lane[]} lanes
 * @property {Row[]} rows
 * @property {Band[]} bands
 */

/**
 * @typedef {object} Lane
 * @property {string} name
 * @property {string} kind
 * @property {string} host
 */

/**
 * @typedef {object} Row
 * @property {Arrow[]} arrows
 * @property {Mark[]} marks
 */

/**
 * @typedef {object} Arrow
 * @property {string} from
 * @property {string} to
 * @property {string} label
 * @property {string} kind
 * @property {string} fate
 */

/**
 * @typedef {object} Mark
 * @property {string} lane
 * @property {string} kind
 * @property {string} label
 */

/**
 * @typedef {object} Band
 * @property {string} lane
 * @property {string} kind
 * @property {number} first
 * @property {number} last
 * @property {string} label
 * @property {string} end
 */

/**
 * @typedef {object} Queue
 * @property {string} name
 * @property {string} profile
 * @property {Group[]} groups
 * @property {Message[]} messages
 */

/**
 * @typedef {object} Group
 * @property {string} name
 * @property {string} owner
 * @property {string} says
 */

/**
 * @typedef {object} Message
 * @property {string} name
 * @property {string} operation
 * @property {string} body
 * @property {string} place
 * @property {string} holder
 * @property {number} attempt
 * @property {number | null} lease
 * @property {number | null} due
 * @property {boolean} changed
 */

/**
 * @typedef {object} Table
 * @property {string} database
 * @property {string} name
 * @property {string} role
 * @property {string[]} columns
 * @property {TableRow[]} rows
 */

/**
 * @typedef {object} TableRow
 * @property {string[]} cells
 * @property {string} state
 * @property {string} change
 * @property {string} by
 * @property {string} intent
 */

/**
 * @typedef {object} Mailbox
 * @property {string} provider
 * @property {Mail[]} mails
 */

/**
 * @typedef {object} Mail
 * @property {string} text
 * @property {string} key
 * @property {string} intent
 * @property {boolean} changed
 */

/**
 * @typedef {object} Intent
 * @property {string} name
 * @property {string} operation
 * @property {string} wish
 * @property {boolean} promised
 * @property {string} told
 * @property {string} effects
 * @property {Verdict[]} verdicts
 */

/**
 * @typedef {object} Verdict
 * @property {string} word
 * @property {string} sentence
 */

/**
 * @typedef {object} Outage
 * @property {string} party
 * @property {number} left
 */

export {};
