package lessons

import (
	"fmt"
	"io/fs"
	"strings"
)

// Change is a line of the comparison of two forms.
type Change struct {
	Kind string // gone, new, same; gap: lines left out that are the same
	Text string
}

// Mark is the sign before the line, so that colour never stands alone.
func (c Change) Mark() string {
	return map[string]string{"gone": "-", "new": "+", "same": " ", "gap": "…"}[c.Kind]
}

// around is how many lines that are the same stand around those that differ.
const around = 2

func loadChange(root fs.FS, from, to string) ([]Change, error) {
	before, err := fs.ReadFile(root, from)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", from, err)
	}
	after, err := fs.ReadFile(root, to)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", to, err)
	}
	return shorten(changes(linesOf(before), linesOf(after))), nil
}

func linesOf(text []byte) []string {
	return strings.Split(strings.TrimRight(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), "\n")
}

// changes compares two texts line by line, by their longest common
// subsequence: forms are a page long, so the plain quadratic table does.
func changes(before, after []string) []Change {
	common := make([][]int, len(before)+1) // of what is behind line i of before and j of after
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i] == after[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var list []Change
	for i, j := 0, 0; i < len(before) || j < len(after); {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			list = append(list, Change{"same", before[i]})
			i, j = i+1, j+1
		case j == len(after) || i < len(before) && common[i+1][j] >= common[i][j+1]:
			list = append(list, Change{"gone", before[i]})
			i++
		default:
			list = append(list, Change{"new", after[j]})
			j++
		}
	}
	return list
}

// shorten leaves out what is the same and far from anything that isn't.
func shorten(all []Change) []Change {
	near := make([]bool, len(all))
	for i := range all {
		if all[i].Kind == "same" {
			continue
		}
		for k := max(0, i-around); k <= min(len(all)-1, i+around); k++ {
			near[k] = true
		}
	}
	var list []Change
	for i := range all {
		switch {
		case near[i]:
			list = append(list, all[i])
		case len(list) == 0 || list[len(list)-1].Kind != "gap":
			list = append(list, Change{Kind: "gap"})
		}
	}
	return list
}
