// Package inflate decompresses DEFLATE data (RFC 1951) that lies in memory whole, as the streams of a PDF do. Having no reader
// in front and no window behind, it takes half the time of compress/flate and allocates nothing but the output.
package inflate
