package wire

import (
	"bytes"
	"errors"
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/findspot/findspot/lspclient/internal/protocol"
)

// Lists of places are the largest answers, and reading them into structs by reflection is most of what such an answer
// costs. So they are read token by token, as long as they are as the protocol says.

// errUnusual says that an answer has to be read the slow way.
var errUnusual = errors.New("not as the protocol says")

// plainPlaces reads a list of Location or LocationLink objects. It reports false when anything is unusual.
func plainPlaces(raw []byte) ([]Location, bool) {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	list := make([]Location, 0, len(raw)/100)
	last := ""
	err := eachIn(d, jsontext.KindBeginArray, jsontext.KindEndArray, func() error {
		p, err := plainPlace(d, last)
		last = p.URI
		list = append(list, p)
		return err
	})
	return list, err == nil
}

// eachIn calls f for each element of an array or each member of an object, where f reads it.
func eachIn(d *jsontext.Decoder, begin, end jsontext.Kind, f func() error) error {
	if t, err := d.ReadToken(); err != nil || t.Kind() != begin {
		return errUnusual
	}
	for d.PeekKind() != end {
		if err := f(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// plainPlace reads one place. Most are in the same file as the last one, whose URI then is not kept twice.
func plainPlace(d *jsontext.Decoder, last string) (Location, error) {
	var p Location
	const (
		none = iota
		whole
		name
	)
	have := none
	err := eachIn(d, jsontext.KindBeginObject, jsontext.KindEndObject, func() error {
		key, err := d.ReadToken()
		if err != nil {
			return err
		}
		take := none
		switch key.String() {
		case "uri", "targetUri":
			t, err := d.ReadToken()
			if err != nil || t.Kind() != jsontext.KindString || p.URI != "" {
				return errUnusual
			}
			if p.URI = t.String(); p.URI == last {
				p.URI = last
			} else {
				p.URI = strings.Clone(p.URI)
			}
			return nil
		case "targetRange":
			take = whole
		case "range", "targetSelectionRange":
			take = name
		}
		switch {
		case take == none && unusualCase(key.String()), take != none && take == have:
			return errUnusual
		case take <= have:
			return d.SkipValue()
		}
		have = take
		return plainRange(d, &p.Range)
	})
	if err == nil && (p.URI == "" || have == none) {
		err = errUnusual
	}
	return p, err
}

// unusualCase reports whether a key is one of a place's but for its case, which the slow way does not mind.
func unusualCase(key string) bool {
	switch strings.ToLower(key) {
	case "uri", "targeturi", "range", "targetrange", "targetselectionrange":
		return true
	}
	return false
}

// plainRange reads a range of whole numbers.
func plainRange(d *jsontext.Decoder, r *protocol.Range) error {
	ends := 0
	err := eachIn(d, jsontext.KindBeginObject, jsontext.KindEndObject, func() error {
		key, err := d.ReadToken()
		if err != nil {
			return err
		}
		switch name := key.String(); {
		case name == "start" && ends&1 == 0:
			ends |= 1
			return plainPosition(d, &r.Start)
		case name == "end" && ends&2 == 0:
			ends |= 2
			return plainPosition(d, &r.End)
		}
		return errUnusual
	})
	if err == nil && ends != 3 {
		err = errUnusual
	}
	return err
}

func plainPosition(d *jsontext.Decoder, p *protocol.Position) error {
	parts := 0
	err := eachIn(d, jsontext.KindBeginObject, jsontext.KindEndObject, func() error {
		key, err := d.ReadToken()
		if err != nil {
			return err
		}
		var into *uint32
		switch name := key.String(); {
		case name == "line" && parts&1 == 0:
			parts |= 1
			into = &p.Line
		case name == "character" && parts&2 == 0:
			parts |= 2
			into = &p.Character
		default:
			return errUnusual
		}
		t, err := d.ReadToken()
		if err != nil || t.Kind() != jsontext.KindNumber {
			return errUnusual
		}
		n, err := t.Uint()
		if err != nil || n > math.MaxInt32 {
			return errUnusual
		}
		*into = uint32(n)
		return nil
	})
	if err == nil && parts != 3 {
		err = errUnusual
	}
	return err
}
