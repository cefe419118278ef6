package figure

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

// image is one of w by h pixels, upright in a box.
func image(b geometry.Rect, w, h int) content.Image {
	return content.Image{Box: b, PixelWidth: w, PixelHeight: h, Matrix: geometry.Matrix{b.Width(), 0, 0, -b.Height(), b.X0, b.Y1}}
}

func TestStitch(t *testing.T) {
	c := &content.Canvas{Width: 600, Height: 800, Images: []content.Image{
		image(geometry.NewRect(100, 100, 300, 150), 400, 100),
		image(geometry.NewRect(100, 150, 300, 200), 400, 100), // the strip under it
		image(geometry.NewRect(400, 100, 500, 200), 10, 10),   // apart
		image(geometry.NewRect(410, 110, 420, 120), 10, 10),   // on that
		image(geometry.NewRect(100, 200, 300, 250), 40, 10),   // right under the strips, of another scale
		image(geometry.NewRect(700, 900, 800, 950), 10, 10),   // outside of the page
	}}
	type found struct {
		box    geometry.Rect
		images []int
		w, h   int
	}
	var got []found
	for _, f := range Stitch(c) {
		got = append(got, found{f.Box, f.Images, f.PixelWidth, f.PixelHeight})
	}
	want := []found{
		{geometry.NewRect(100, 100, 300, 200), []int{0, 1}, 400, 200},
		{geometry.NewRect(400, 100, 500, 200), []int{2, 3}, 100, 100}, // as fine as the finer one
		{geometry.NewRect(100, 200, 300, 250), []int{4}, 40, 10},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(found{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestShareCaptions(t *testing.T) {
	list := []Figure{
		{Box: geometry.NewRect(100, 100, 200, 200), caption: "Figure 1: Two parts"},
		{Box: geometry.NewRect(210, 100, 310, 200), caption: "(b)"},  // beside it
		{Box: geometry.NewRect(210, 230, 310, 300), caption: "left"}, // under that
		{Box: geometry.NewRect(100, 600, 200, 700), caption: "far"},
	}
	shareCaptions(list)
	var got []string
	for i := range list {
		got = append(got, list[i].caption)
	}
	if d := cmp.Diff([]string{"Figure 1: Two parts", "Figure 1: Two parts", "Figure 1: Two parts", "far"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
