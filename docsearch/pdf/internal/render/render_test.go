package render

import (
	"image"
	"image/color"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

func TestCover(t *testing.T) {
	c := &content.Canvas{Width: 100, Height: 200}
	for b, want := range map[geometry.Rect]float64{
		geometry.NewRect(0, 0, 100, 200):     1,
		geometry.NewRect(-50, -50, 50, 50):   .125,
		geometry.NewRect(300, 300, 400, 400): 0,
	} {
		if got := Cover(b, c); got != want {
			t.Errorf("Cover(%v) = %v, want %v", b, got, want)
		}
	}
}

// An image that is drawn turned or mirrored comes out as it is shown.
func TestOrient(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 3, 2)) // the first pixel is the mark
	img.SetGray(0, 0, color.Gray{200})
	for name, c := range map[string]struct {
		m          geometry.Matrix
		w, h, x, y int // of what is shown, and where the mark is
	}{
		"upright":         {geometry.Matrix{30, 0, 0, -20, 0, 20}, 3, 2, 0, 0},
		"upside down":     {geometry.Matrix{-30, 0, 0, 20, 30, 0}, 3, 2, 2, 1},
		"mirrored":        {geometry.Matrix{-30, 0, 0, -20, 30, 20}, 3, 2, 2, 0},
		"turned to right": {geometry.Matrix{0, 30, 20, 0, 0, 0}, 2, 3, 1, 0},
		"turned to left":  {geometry.Matrix{0, -30, -20, 0, 20, 30}, 2, 3, 0, 2},
	} {
		got := orient(&content.Image{Matrix: c.m, PixelWidth: 3, PixelHeight: 2}, img)
		if b := got.Bounds(); b.Dx() != c.w || b.Dy() != c.h {
			t.Errorf("%s: %v", name, b)
			continue
		}
		for y := range c.h {
			for x := range c.w {
				if v := color.GrayModel.Convert(got.At(x, y)).(color.Gray).Y; (v == 200) != (x == c.x && y == c.y) {
					t.Errorf("%s: pixel %d, %d is %d; the mark belongs to %d, %d", name, x, y, v, c.x, c.y)
				}
			}
		}
	}
}
