// Package jsonlines is the form of a record on disk: JSON Lines of bounded size, in which a long text is written once and then
// referred to by its hash. An [Encoder] takes events as compact JSON and gives lines; [Lines] reads them back, and says of
// a damaged one what is wrong with it. Both are exact inverses, so that a replayed record is the same to the byte. What an
// event means is not known here.
//
// A reference is the object {"same_as": HASH}, with the hex SHA-256 of the JSON text it stands for, quotes included; a key
// that would read like it gets a tilde in front.
package jsonlines
