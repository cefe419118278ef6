// Package caption finds the captions of a page: lines that begin like "Table 3" or "Figure 2", and their continuations.
// It takes a canvas and its lines and returns a Page, which the searches for tables and for figures share. It reports
// which caption is near an area; packages table and figure decide what it belongs to.
package caption
