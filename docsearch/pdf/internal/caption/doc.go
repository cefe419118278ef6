// Package caption finds the captions of a page: lines that begin like "Table 3" or "Figure 2", and those that continue them. A
// canvas and its lines go in; a Page comes out, which the search for tables and for figures shares. It says which caption is
// near an area; whose it is, is for packages table and figure to say.
package caption
