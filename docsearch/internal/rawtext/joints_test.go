package rawtext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJoints(t *testing.T) {
	for _, tt := range []struct {
		name  string
		pages []string
		apart [][]int
		want  []string // what stands between
	}{
		{"nothing apart", []string{"a\nb\n", "c\n"}, [][]int{nil, nil}, nil},
		{"foot and head", []string{"a\n1\n", "Head\nb\n2\n", "Head\nc\n3\n"}, [][]int{{2}, {1, 3}, {1, 3}}, []string{"1\nHead\n", "2\nHead\n"}},
		{"pages of several lines", []string{"a\n\nb\n1\n", "Head\n\nc\nd\n2\n", "e\n"}, [][]int{{4}, {1, 5}, nil}, []string{"1\nHead\n\n", "2\n"}},
		{"a page of figures", []string{"a\n1\n", "x y\nFigure 1\n2\n", "b\n"}, [][]int{{2}, {1, 2, 3}, nil}, []string{"1\nx y\nFigure 1\n2\n"}},
		{"apart within a page", []string{"a\nFigure 1\nb\n1\n", "c\n"}, [][]int{{2, 4}, nil}, []string{"1\n"}},
		{"a page that could not be read", []string{"a\n1\n", "\n", "b\n"}, [][]int{{2}, nil, nil}, nil},
		{"head of the first, foot of the last", []string{"Head\na\n", "b\n2\n"}, [][]int{{1}, {2}}, nil},
	} {
		raw := strings.Join(tt.pages, "")
		var pages []int
		at := 0
		for _, p := range tt.pages {
			pages = append(pages, at)
			at += len(p)
		}
		var got []string
		for _, j := range Joints(raw, pages, tt.apart) {
			got = append(got, raw[j[0]:j[1]])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
