package attach

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/errs"
)

func TestFrames(t *testing.T) {
	var b []byte
	b = appendFrame(b, kindOut, []byte("hello"))
	b = appendFrame(b, kindCancel, []byte("what has no place"))
	b = appendFrame(b, kindFail, bytes.Repeat([]byte("x"), maxText+1))
	b = appendFrame(b, kindAck, ack{kindErr, 70000, "disk full"}.payload())
	r := bytes.NewReader(b)
	for _, want := range []struct {
		kind byte
		n    int
	}{{kindOut, 5}, {kindCancel, 0}, {kindFail, maxText}} {
		kind, payload, err := readFrame(r)
		if kind != want.kind || len(payload) != want.n || err != nil {
			t.Errorf("frame %q with %d bytes, %v, want %q with %d", kind, len(payload), err, want.kind, want.n)
		}
	}
	_, payload, err := readFrame(r)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readAck(payload); err != nil || got != (ack{kindErr, 70000, "disk full"}) {
		t.Errorf("ack = %+v, %v", got, err)
	}
	if _, _, err := readFrame(r); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

func TestFramesThatDoNotFit(t *testing.T) {
	for _, tt := range []struct {
		name, frame string
		want        error
	}{
		{"a kind that there is not", "?\x00\x00\x00\x00", errs.Format},
		{"too large", "H\xff\xff\xff\xff", errs.Format},
		{"a byte over the limit", "C\x00\x00\x00\x01x", errs.Format},
		{"cut in the head", "O\x00\x00", io.ErrUnexpectedEOF},
		{"cut behind the head", "O\x00\x00\x00\x02", io.ErrUnexpectedEOF},
		{"cut", "O\x00\x00\x00\x02x", io.ErrUnexpectedEOF},
		{"HTTP", "GET / HTTP/1.1\r\n", errs.Format},
	} {
		if _, _, err := readFrame(strings.NewReader(tt.frame)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// FuzzReadFrame: what is read is within its limit, and written again it is the same.
func FuzzReadFrame(f *testing.F) {
	f.Add([]byte{})
	f.Add(appendFrame(appendFrame(nil, kindHello, []byte(`{"protocol":1}`)), kindStart, []byte("{}")))
	f.Add(appendFrame(nil, kindAck, ack{kindOut, 5, ""}.payload()))
	f.Add([]byte("O\x00\x00\x7f\xffx"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		for {
			at := len(data) - r.Len()
			kind, payload, err := readFrame(r)
			if err != nil {
				if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, errs.Format) {
					t.Fatalf("error %v", err)
				}
				return
			}
			if len(payload) > limit(kind) {
				t.Fatalf("kind %q with %d bytes", kind, len(payload))
			}
			again := appendFrame(nil, kind, payload)
			if !bytes.Equal(again, data[at:len(data)-r.Len()]) || int(binary.BigEndian.Uint32(again[1:])) != len(payload) {
				t.Fatalf("%q is written as %q", data[at:len(data)-r.Len()], again)
			}
			if a, err := readAck(payload); kind == kindAck && err == nil && !bytes.Equal(a.payload(), payload) {
				t.Fatalf("ack %q is written as %q", payload, a.payload())
			}
		}
	})
}
