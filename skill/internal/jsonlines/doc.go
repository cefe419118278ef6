// Package jsonlines is the form of a record on disk: JSON Lines of bounded size, in which a long text is written once and then
// referred to by its hash. An [Encoder] takes events as compact JSON and returns lines; [Lines] reads them back, and ends with an
// [*Error] at the first line that is damaged or cut off. Both are exact inverses, so that a replayed record is the same to the byte.
// Package record gives the events their meaning.
//
// A reference is the object {"same_as": HASH}, with the hex SHA-256 of the JSON text it stands for, quotes included; a key
// that could be mistaken for it gets a tilde in front.
package jsonlines
