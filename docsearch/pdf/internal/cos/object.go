package cos

import "sync/atomic"

// An Object is a PDF object: Bool, Integer, Float, String, Name, Array, Dict, *Stream or Ref. Nil is null.
type Object interface{ object() }

// The types of objects (ISO 32000-1, 7.3).
type (
	Bool    bool
	Integer int64
	Float   float64
	// String holds the bytes a string stands for: escapes read and decrypted.
	String string
	// Name is without its slash, escapes read.
	Name  string
	Array []Object
	// Dict has no entries that are null.
	Dict map[string]Object
)

// A Ref refers to an indirect object. Num is above 0; the generation is only needed for decryption.
type Ref struct{ Num, Gen int }

// A Stream is a dictionary with bytes that stay in the file until they are asked for.
type Stream struct {
	Dict Dict

	f      *File
	ref    Ref
	at     int64        // where its bytes begin in the file
	length atomic.Int64 // number of bytes plus one; 0: not looked for yet
	plain  bool         // never encrypted: cross-reference streams
	mem    []byte       // its bytes, when they are not in the file
}

func (Bool) object()    {}
func (Integer) object() {}
func (Float) object()   {}
func (String) object()  {}
func (Name) object()    {}
func (Array) object()   {}
func (Dict) object()    {}
func (Ref) object()     {}
func (*Stream) object() {}
