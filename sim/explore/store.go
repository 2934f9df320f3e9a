package explore

import (
	"math/bits"

	"github.com/ackademy/ackademy/sim"
)

// Every state that was reached is kept once and whole: two are taken for one
// only if they are equal word by word, so no collision of hashes can lose a
// state.
//
// The states are dealt out to partitions by their hash. A partition is only
// ever touched by one goroutine at a time, and a small index misses the cache
// less than a large one. Within a partition states stand one behind the other
// in chunks without pointers, so the garbage collector has nothing to scan;
// the index is an open-addressing table of the lower half of the hash and the
// state's place plus one.

// number names a stored state: its place in its partition, and the partition
// in the lowest bits.
type number = uint32

const (
	partitionBits = 4
	partitions    = 1 << partitionBits
	chunkBits     = 10 // states in a chunk: few chunks, and a small search stays small
	chunkStates   = 1 << chunkBits
)

// none is the number of no state.
const none = ^number(0)

type store struct {
	width int
	parts [partitions]partition
}

// partition is a part of the states, each with where it came from and how it
// goes on without a fault, in two words behind it.
type partition struct {
	chunks [][]uint32
	count  int
	index  []uint64
	mask   uint64
	primed uint32 // what add will need, read beforehand and mixed to nothing (prime)
}

// What stands behind a state.
const (
	atParent = iota // state it was first reached from
	atCalm          // its first successor without a fault; itself if it is at rest
	links
)

func newStore(width int) *store {
	const first = 1 << 6
	st := &store{width: width}
	for i := range st.parts {
		st.parts[i].index = make([]uint64, first)
		st.parts[i].mask = first - 1
	}
	return st
}

func partitionOf(h uint64) int { return int(h >> (64 - partitionBits)) }

// state returns the words of a stored state; they must not be changed.
func (st *store) state(n number) sim.State {
	return st.parts[n%partitions].state(n>>partitionBits, st.width)
}

func (p *partition) state(place uint32, width int) sim.State {
	at := int(place&(chunkStates-1)) * (width + links)
	return sim.State(p.chunks[place>>chunkBits][at : at+width : at+width])
}

// link is one of the words behind a state.
func (st *store) link(n number, which int) *number {
	place := n >> partitionBits
	return &st.parts[n%partitions].chunks[place>>chunkBits][int(place&(chunkStates-1))*(st.width+links)+st.width+which]
}

func (st *store) parent(n number) number { return *st.link(n, atParent) }
func (st *store) calm(n number) number   { return *st.link(n, atCalm) }
func (st *store) setCalm(n, to number)   { *st.link(n, atCalm) = to }

// count is the number of stored states.
func (st *store) count() int {
	n := 0
	for i := range st.parts {
		n += st.parts[i].count
	}
	return n
}

// add returns the number of a state with this hash and whether it is new.
func (st *store) add(part int, s sim.State, h uint64, from number) (number, bool) {
	p := &st.parts[part]
	tag := h << 32
	for i := home(h) & p.mask; ; i = (i + 1) & p.mask {
		e := p.index[i]
		if e == 0 {
			place := p.append(s, from)
			p.index[i] = tag | uint64(place+1)
			if p.count*4 > len(p.index)*3 {
				p.grow(st.width)
			}
			return place<<partitionBits | number(part), true
		}
		if e&^0xffffffff == tag {
			if place := uint32(e) - 1; equal(p.state(place, st.width), s) {
				return place<<partitionBits | number(part), false
			}
		}
	}
}

// find returns the number of a state that is stored.
func (st *store) find(s sim.State) number {
	h := hash(s)
	n, isNew := st.add(partitionOf(h), s, h, none)
	if isNew {
		panic("explore: a successor of an expanded state was not stored")
	}
	return n
}

func (p *partition) append(s sim.State, from number) uint32 {
	place := uint32(p.count)
	if int(place>>chunkBits) == len(p.chunks) {
		p.chunks = append(p.chunks, make([]uint32, chunkStates*(len(s)+links)))
	}
	behind := p.chunks[place>>chunkBits][int(place&(chunkStates-1))*(len(s)+links):]
	copy(behind, s)
	behind[len(s)+atParent], behind[len(s)+atCalm] = from, none
	p.count++
	return place
}

// home is where the search for a hash begins, before the mask.
func home(h uint64) uint64 { return h >> homeShift }

const homeShift = 8

// grow doubles the index. An entry has the lower half of its hash, which tells
// its new place while the index is small enough for that; taken in their order
// the entries then go to two places that advance, instead of to and fro.
func (p *partition) grow(width int) {
	old := p.index
	p.index = make([]uint64, 2*len(old))
	p.mask = uint64(len(p.index) - 1)
	whole := p.mask<<homeShift > 1<<32-1
	for _, e := range old {
		if e == 0 {
			continue
		}
		h := e >> 32
		if whole {
			h = hash(p.state(uint32(e)-1, width))
		}
		i := home(h) & p.mask
		for p.index[i] != 0 {
			i = (i + 1) & p.mask
		}
		p.index[i] = e
	}
}

// primeAhead is how many states are looked up together.
const primeAhead = 32

// prime reads what add will need for some hashes: nothing waits for the answers,
// so that the memory can bring all of them at once, where one look-up
// after another would wait for each.
func (p *partition) prime(hashes []uint64, width int) {
	var entries [primeAhead]uint64
	for k, h := range hashes {
		entries[k] = p.index[home(h)&p.mask]
	}
	var places [primeAhead]uint32
	n := 0
	for k, h := range hashes {
		e := entries[k]
		for i := home(h); e != 0 && e>>32 != h&(1<<32-1); {
			i++
			e = p.index[i&p.mask]
		}
		if e != 0 {
			places[n] = uint32(e) - 1
			n++
		}
	}
	seen := uint32(0)
	for _, place := range places[:n] {
		seen += p.state(place, width)[0]
	}
	p.primed += seen
}

// bytes is what the store takes.
func (st *store) bytes() int64 {
	n := int64(0)
	for i := range st.parts {
		p := &st.parts[i]
		n += int64(len(p.chunks))*chunkStates*int64(st.width+links)*4 + int64(len(p.index))*8
	}
	return n
}

// hash mixes each word with its slot and adds the results up, so that the hash
// of a successor can be had from its parent's and the words that changed.
func hash(s sim.State) uint64 {
	h := uint64(0)
	for slot, id := range s {
		h += mix(uint64(slot), uint64(id))
	}
	return h
}

func mix(slot, id uint64) uint64 {
	hi, lo := bits.Mul64(id+slot<<32^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	hi, lo = bits.Mul64(hi^lo^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	return hi ^ lo
}

func equal(a, b sim.State) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
