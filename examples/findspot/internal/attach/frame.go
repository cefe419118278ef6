package attach

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/findspot/findspot/internal/errs"
)

// The kinds of frames, see the package's documentation.
const (
	kindHello  = 'H'
	kindStart  = 'S'
	kindStatus = 'Q'
	kindStop   = 'T'
	kindReply  = 'J'
	kindOut    = 'O'
	kindErr    = 'R'
	kindWant   = 'W'
	kindIn     = 'I'
	kindEnd    = 'E'
	kindAck    = 'A'
	kindCancel = 'C'
	kindExit   = 'X'
	kindFail   = 'F'
)

// Sizes in bytes.
const (
	headerSize = 5
	maxHello   = 4 << 10
	maxStart   = 2 << 20  // the arguments of a process have about as much at most
	maxReply   = 4 << 20  // of a state
	maxData    = 32 << 10 // of a stream in one frame
	maxText    = 4 << 10
	window     = 256 << 10 // of output that is not acknowledged
)

// limit is how many bytes a frame of a kind has at most; -1: there is no such kind.
func limit(kind byte) int {
	switch kind {
	case kindHello:
		return maxHello
	case kindStart:
		return maxStart
	case kindReply:
		return maxReply
	case kindOut, kindErr, kindIn:
		return maxData
	case kindWant, kindExit:
		return 4
	case kindAck:
		return headerSize + maxText
	case kindEnd, kindFail:
		return maxText
	case kindStatus, kindStop, kindCancel:
		return 0
	}
	return -1
}

// readFrame reads a frame. The end of r before a frame is io.EOF, within one io.ErrUnexpectedEOF.
func readFrame(r io.Reader) (kind byte, payload []byte, err error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	kind, n := head[0], binary.BigEndian.Uint32(head[1:])
	most := limit(kind)
	switch {
	case most < 0:
		return 0, nil, fmt.Errorf("frame of kind %q: %w", kind, errs.Format)
	case uint64(n) > uint64(most):
		return 0, nil, fmt.Errorf("frame of kind %q with %d bytes, at most %d are allowed: %w", kind, n, most, errs.Format)
	case n == 0:
		return kind, nil, nil
	}
	payload = make([]byte, n)
	if _, err := io.ReadFull(r, payload); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, nil, err
	}
	return kind, payload, nil
}

// appendFrame appends a frame. What is over the limit is cut: only texts can be, and streams are cut before.
func appendFrame(to []byte, kind byte, payload []byte) []byte {
	payload = payload[:min(len(payload), max(limit(kind), 0))]
	to = append(to, kind)
	to = binary.BigEndian.AppendUint32(to, uint32(len(payload)))
	return append(to, payload...)
}

// number reads the payload of a frame that is a number.
func number(payload []byte) (int, error) {
	if len(payload) != 4 {
		return 0, fmt.Errorf("a number of %d bytes: %w", len(payload), errs.Format)
	}
	return int(binary.BigEndian.Uint32(payload)), nil
}

func appendNumber(to []byte, n int) []byte { return binary.BigEndian.AppendUint32(to, uint32(n)) }

// ack is a frame that acknowledges output.
type ack struct {
	stream byte // kindOut or kindErr
	n      int  // bytes since the last one
	err    string
}

func (a ack) payload() []byte {
	return append(appendNumber([]byte{a.stream}, a.n), a.err[:min(len(a.err), maxText)]...)
}

func readAck(payload []byte) (ack, error) {
	if len(payload) < headerSize || payload[0] != kindOut && payload[0] != kindErr {
		return ack{}, fmt.Errorf("an acknowledgement of %d bytes: %w", len(payload), errs.Format)
	}
	n, err := number(payload[1:headerSize])
	return ack{payload[0], n, string(payload[headerSize:])}, err
}
