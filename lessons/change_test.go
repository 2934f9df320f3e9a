package lessons

import (
	"fmt"
	"strings"
	"testing"
)

// What stands in the first text is what isn't new, what stands in the second
// is what isn't gone; far from both there is a gap.
func TestChanges(t *testing.T) {
	before, after := strings.Split("a b c d e f g h i", " "), strings.Split("a x c d e f g i j", " ")
	var old, fresh []string
	for _, c := range changes(before, after) {
		if c.Kind != "new" {
			old = append(old, c.Text)
		}
		if c.Kind != "gone" {
			fresh = append(fresh, c.Text)
		}
	}
	if fmt.Sprint(old) != fmt.Sprint(before) || fmt.Sprint(fresh) != fmt.Sprint(after) {
		t.Errorf("taken apart: %v and %v", old, fresh)
	}
	var shown []string
	for _, c := range shorten(changes(before, after)) {
		shown = append(shown, c.Mark()+c.Text)
	}
	if got, want := strings.Join(shown, " "), " a -b +x  c  d …  f  g -h  i +j"; got != want {
		t.Errorf("shown %q, want %q", got, want)
	}
	if list := shorten(changes(nil, nil)); len(list) != 0 {
		t.Errorf("nothing differs from nothing by %v", list)
	}
}
