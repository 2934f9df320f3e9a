package picture

// Where the lanes stand: each gap as wide as its arrows and marks need, and
// narrower, down to a least width, where the line is too short.

const (
	leastGap  = 8
	numberEnd = 5 // columns of the step's number
	clockEnd  = 7 // and of the clock
)

// margin is the column from which lanes may begin.
func (w *writer) margin() int {
	if w.time {
		return numberEnd + clockEnd
	}
	return numberEnd
}

// layOut gives each lane its column.
func (w *writer) layOut() {
	w.time = clockMoves(w.d)
	shown := make([]bool, len(w.d.Lanes))
	for i := range shown {
		shown[i] = true
	}
	if w.place(shown, false) {
		return
	}
	w.curt = true
	if w.place(shown, false) || w.place(w.busy(), false) {
		return // a lane where nothing happens is missed less than a label
	}
	for !w.place(w.busy(), true) { // more parties than fit: the line is made longer
		w.o.Width += 20
	}
}

// busy tells which lanes take part in the run.
func (w *writer) busy() []bool {
	busy := make([]bool, len(w.d.Lanes))
	for i := range w.d.Rows {
		for _, a := range w.d.Rows[i].Arrows {
			busy[a.From], busy[a.To] = true, true
		}
		for _, m := range w.d.Rows[i].Marks {
			busy[m.Lane] = true
		}
	}
	if len(busy) > 0 {
		busy[0] = true
	}
	return busy
}

// place computes the columns of the shown lanes and tells whether they fit;
// squeezed, gaps may be narrower than what they want.
func (w *writer) place(shown []bool, squeezed bool) bool {
	var lanes []int
	for i, s := range shown {
		if s {
			lanes = append(lanes, i)
		}
	}
	if len(lanes) == 0 {
		w.lane = []int{}
		return true
	}
	order := make([]int, len(w.d.Lanes)) // by lane: its place among the shown
	for i := range order {
		order[i] = -1
	}
	for n, i := range lanes {
		order[i] = n
	}
	// gaps[n] lies to the right of the shown lane n; the last one is the margin.
	gaps := w.wanted(order, len(lanes))
	left := w.margin() + max(3, textWidth(w.d.Lanes[lanes[0]].Name)/2)
	for total(gaps) > w.o.Width-1-left {
		if !squeezed {
			return false
		}
		widest := 0
		for n := range gaps {
			if gaps[n] > gaps[widest] {
				widest = n
			}
		}
		if gaps[widest] <= leastGap {
			return false
		}
		gaps[widest]--
	}
	w.lane = make([]int, len(w.d.Lanes))
	column := left
	for i := range w.lane {
		w.lane[i] = -1
		if order[i] >= 0 {
			w.lane[i] = column
			column += gaps[order[i]]
		}
	}
	return true
}

// headWidth is the room for a lane's name and for what it is; an even text in the
// middle of an odd room takes one more.
func headWidth(l Lane) int {
	width := max(textWidth(l.Name), textWidth(headOf(l)))
	if l.Host != "" {
		width += 2
	}
	return width
}

func total(list []int) int {
	sum := 0
	for _, n := range list {
		sum += n
	}
	return sum
}

// wanted is the width that each gap would like: room for the labels of arrows
// that cross only it, for marks on its left lane, and for the names.
func (w *writer) wanted(order []int, n int) []int {
	gaps := make([]int, n)
	want := func(gap, width int) {
		if gap >= 0 && gap < n {
			gaps[gap] = max(gaps[gap], width)
		}
	}
	for i, lane := range w.d.Lanes {
		if order[i] < 0 {
			continue
		}
		want(order[i], leastGap)
		for j := i + 1; j < len(order); j++ {
			if next := w.d.Lanes[j]; order[j] == order[i]+1 {
				want(order[i], (headWidth(lane)+headWidth(next)+1)/2+1)
			}
		}
	}
	for i := range w.d.Rows {
		row := &w.d.Rows[i]
		for _, a := range row.Arrows {
			from, to := order[a.From], order[a.To]
			if from < 0 || to < 0 {
				continue
			}
			if low := min(from, to); from-to == 1 || to-from == 1 {
				want(low, w.room(a))
			}
		}
		for _, m := range row.Marks {
			if text := w.wordsOf(row, m); text != "" {
				want(order[m.Lane], textWidth(text)+3)
			}
		}
	}
	gaps[n-1] = max(gaps[n-1]-1, 2) // the margin has no lane behind it
	w.stretch(gaps, order)
	return gaps
}

// room is the length that an arrow needs for its label.
func (w *writer) room(a Arrow) int {
	if a.Lost == RequestLost {
		return textWidth(w.arrowText(a)) + 6 // it ends early
	}
	return textWidth(w.arrowText(a)) + 4
}

// stretch makes room for the labels of arrows that pass other lanes.
func (w *writer) stretch(gaps, order []int) {
	for i := range w.d.Rows {
		for _, a := range w.d.Rows[i].Arrows {
			low, high := min(order[a.From], order[a.To]), max(order[a.From], order[a.To])
			if low < 0 || high == low {
				continue
			}
			if missing := w.room(a) - total(gaps[low:high]); missing > 0 {
				gaps[high-1] += missing
			}
		}
	}
}
