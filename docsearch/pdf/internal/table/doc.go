// Package table finds the tables of a page and reads their cells: grids of rules, columns between chains of horizontal rules, and
// columns without any rule. A page with its captions goes in; tables come out, with rows, spans and captions, and the ends that
// may go on over the page's edges. What only looks like a table - a chart, a listing, contents - is rejected. It knows nothing
// of Markdown.
package table
