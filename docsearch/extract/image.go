package extract

import "context"

// An Image is a picture taken from a page.
type Image struct {
	Data   []byte `json:"-"`      // a file of its own
	Format string `json:"format"` // "png", "jpeg" or "jp2" (JPEG 2000), which is also the usual extension but for jpeg
	Width  int    `json:"width"`  // pixels; 0 when not known
	Height int    `json:"height"`
	BBox   Box    `json:"bbox"` // where it stands on the page
}

// An Imager is a [Doc] that gives the pictures of its figures. It is found by a type assertion:
//
//	if im, ok := doc.(extract.Imager); ok {
//		img, err := im.Image(ctx, page.Number, 0) // of page.Figures[0]
//	}
type Imager interface {
	// Image returns the picture of figure n of a page: n counts from 0 in [Page.Figures], pages from 1. A figure that is made
	// of several images is put together. Errors wrap docsearch.ErrNotFound when there is no such page or figure, docsearch.ErrUnsupported
	// for a drawing, which has no picture, and for a kind of picture that cannot be read, and docsearch.ErrTooLarge.
	Image(ctx context.Context, page, n int) (*Image, error)
}
