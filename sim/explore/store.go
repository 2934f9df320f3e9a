package explore

import "github.com/ackademy/ackademy/sim"

// store keeps every state that was reached, each once, in the order in which
// it was found. States are kept whole: two are taken for one only if they are
// equal word by word, so no collision of hashes can lose a state.
//
// They stand one behind the other in chunks without pointers, so the garbage
// collector has nothing to scan; the index is an open-addressing table of the
// upper half of the hash and the state's number plus one.
type store struct {
	width  int
	chunks [][]uint32
	count  int
	index  []uint64
	mask   uint64
}

// chunkStates is the number of states in a chunk: large enough that chunks
// are few, small enough that a small search stays small.
const (
	chunkBits   = 12
	chunkStates = 1 << chunkBits
)

func newStore(width int) *store {
	const first = 1 << 10
	return &store{width: width, index: make([]uint64, first), mask: first - 1}
}

// state returns the words of state n; they must not be changed.
func (st *store) state(n uint32) sim.State {
	chunk := st.chunks[n>>chunkBits]
	at := int(n&(chunkStates-1)) * st.width
	return sim.State(chunk[at : at+st.width : at+st.width])
}

// add returns the number of a state and whether it is new.
func (st *store) add(s sim.State) (uint32, bool) {
	h := hash(s)
	tag := h &^ 0xffffffff
	for i := h & st.mask; ; i = (i + 1) & st.mask {
		e := st.index[i]
		if e == 0 {
			n := st.append(s)
			st.index[i] = tag | uint64(n+1)
			if uint64(st.count)*4 > uint64(len(st.index))*3 {
				st.grow()
			}
			return n, true
		}
		if e&^0xffffffff == tag {
			n := uint32(e) - 1
			if equal(st.state(n), s) {
				return n, false
			}
		}
	}
}

func (st *store) append(s sim.State) uint32 {
	n := uint32(st.count)
	if int(n>>chunkBits) == len(st.chunks) {
		st.chunks = append(st.chunks, make([]uint32, chunkStates*st.width))
	}
	copy(st.chunks[n>>chunkBits][int(n&(chunkStates-1))*st.width:], s)
	st.count++
	return n
}

func (st *store) grow() {
	st.index = make([]uint64, 2*len(st.index))
	st.mask = uint64(len(st.index) - 1)
	for n := range uint32(st.count) {
		h := hash(st.state(n))
		i := h & st.mask
		for st.index[i] != 0 {
			i = (i + 1) & st.mask
		}
		st.index[i] = h&^0xffffffff | uint64(n+1)
	}
}

// bytes is what the store takes.
func (st *store) bytes() int64 {
	return int64(len(st.chunks))*chunkStates*int64(st.width)*4 + int64(len(st.index))*8
}

func hash(s sim.State) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range s {
		h = (h ^ uint64(w)) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

func equal(a, b sim.State) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
