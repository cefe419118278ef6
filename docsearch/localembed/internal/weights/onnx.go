package weights

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

// What is read of a graph at most; a model of 24 layers has some 3,000 nodes.
const (
	maxNodes  = 200_000
	maxFields = 20_000_000
)

// ONNX reads the list of tensors of a model file of so many bytes. Field numbers are those of onnx.proto.
func ONNX(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, tensors: map[string]tensor{}}
	g := graph{file: f, size: size, scanner: scanner{r: r, left: maxFields}}
	err := g.message(0, size, func(x field) error {
		if x.number != 7 { // ModelProto.graph
			return nil
		}
		return g.message(x.at, x.len, g.read)
	})
	if err != nil {
		if errors.Is(err, errs.Unsupported) || errors.Is(err, errs.TooLarge) {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %w", errs.Format, err)
	}
	g.name()
	return f, f.find()
}

// graph is what is kept of one while it is read.
type graph struct {
	scanner
	file  *File
	size  int64
	nodes int
	muls  map[string]string // the second operand of a product, by the product's name
	adds  [][2]string
}

func (g *graph) read(x field) error {
	switch x.number {
	case 5: // GraphProto.initializer
		if len(g.file.tensors) >= maxTensors {
			return fmt.Errorf("%w: more than %d tensors", errs.TooLarge, maxTensors)
		}
		return g.tensor(x)
	case 1: // GraphProto.node
		if g.nodes++; g.nodes > maxNodes {
			return fmt.Errorf("%w: more than %d nodes", errs.TooLarge, maxNodes)
		}
		return g.node(x)
	}
	return nil
}

func (g *graph) node(x field) error {
	var op string
	var in, out []string
	err := g.message(x.at, x.len, func(x field) (err error) {
		var s string
		switch {
		case x.number == 1 && len(in) < 2: // NodeProto.input
			s, err = g.text(x)
			in = append(in, s)
		case x.number == 2 && len(out) < 1: // NodeProto.output
			s, err = g.text(x)
			out = append(out, s)
		case x.number == 4: // NodeProto.op_type
			op, err = g.text(x)
		}
		return err
	})
	if err != nil || len(in) < 2 || len(out) < 1 {
		return err
	}
	switch op {
	case "MatMul":
		if g.muls == nil {
			g.muls = map[string]string{}
		}
		g.muls[out[0]] = in[1]
	case "Add":
		g.adds = append(g.adds, [2]string{in[0], in[1]})
	}
	return nil
}

// name gives weights the name of the bias that is added to their product.
func (g *graph) name() {
	for _, a := range g.adds {
		for i, bias := range a {
			module, ok := strings.CutSuffix(bias, ".bias")
			if _, known := g.file.tensors[bias]; !ok || !known {
				continue
			}
			if t, ok := g.file.tensors[g.muls[a[1-i]]]; ok && len(t.shape) == 2 {
				t.turned = true
				g.file.tensors[module+".weight"] = t
			}
		}
	}
}

func (g *graph) tensor(x field) error {
	var t tensor
	var name string
	var external bool
	err := g.message(x.at, x.len, func(x field) (err error) {
		switch x.number {
		case 1: // TensorProto.dims, packed or one by one
			if x.wire == wireVarint {
				t.shape = append(t.shape, int64(x.value))
				break
			}
			for at, end := x.at, x.at+x.len; at < end && err == nil && len(t.shape) <= maxDims; {
				var d uint64
				if d, at, err = g.varint(at, end); err == nil {
					t.shape = append(t.shape, int64(d))
				}
			}
		case 2: // TensorProto.data_type
			switch x.value {
			case 1:
				t.kind = float32s
			case 10:
				t.kind = float16s
			case 16:
				t.kind = bfloat16s
			}
		case 8: // TensorProto.name
			name, err = g.text(x)
		case 4, 9: // TensorProto.float_data, raw_data
			if x.wire == wireBytes {
				t.at, t.len = x.at, x.len
			}
		case 14: // TensorProto.data_location
			external = x.value == 1
		}
		if len(t.shape) > maxDims {
			return fmt.Errorf("more than %d dimensions", maxDims)
		}
		return err
	})
	switch {
	case err != nil:
		return fmt.Errorf("a tensor at byte %d: %w", x.at, err)
	case external:
		return fmt.Errorf("%w: the numbers of tensor %q are in another file: give model.safetensors", errs.Unsupported, name)
	}
	if err := t.check(g.size); err != nil {
		return fmt.Errorf("tensor %q: %w", name, err)
	}
	g.file.tensors[name] = t
	return nil
}

const (
	wireVarint = 0
	wire64     = 1
	wireBytes  = 2
	wire32     = 5
)

// A field is one of a protocol buffer's message.
type field struct {
	number  int
	wire    int
	value   uint64 // of wireVarint
	at, len int64  // of wireBytes: where it lies in the file
}

// A scanner reads the fields of messages in a file.
type scanner struct {
	r        io.ReaderAt
	left     int        // fields that may still be read
	buf      [4096]byte // part of the file,
	from, to int64      // from where to where
}

// text returns a field that is a name.
func (s *scanner) text(x field) (string, error) {
	if x.wire != wireBytes || x.len > maxName {
		return "", fmt.Errorf("a name at byte %d is none, or longer than %d bytes", x.at, maxName)
	}
	b := make([]byte, x.len)
	_, err := s.r.ReadAt(b, x.at)
	return string(b), err
}

// message calls f for each field of a message of n bytes at a place.
func (s *scanner) message(at, n int64, f func(field) error) error {
	for end := at + n; at < end; {
		if s.left--; s.left < 0 {
			return fmt.Errorf("%w: more than %d fields", errs.TooLarge, maxFields)
		}
		from := at
		key, next, err := s.varint(at, end)
		if err != nil {
			return err
		}
		x := field{number: int(key >> 3 & math.MaxInt32), wire: int(key & 7)}
		at = next
		switch x.wire {
		case wireVarint:
			x.value, at, err = s.varint(at, end)
		case wireBytes:
			var size uint64
			if size, at, err = s.varint(at, end); err == nil && size > uint64(end-at) {
				err = fmt.Errorf("a field at byte %d has %d bytes, of %d that are left", from, size, end-at)
			}
			x.at, x.len = at, int64(size)
			at += x.len
		case wire64:
			at += 8
		case wire32:
			at += 4
		default:
			err = fmt.Errorf("a field at byte %d has wire type %d", from, x.wire)
		}
		if err == nil && at > end {
			err = fmt.Errorf("a field at byte %d ends after what it is in", from)
		}
		if err == nil {
			err = f(x)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// varint reads a number of 7 bits a byte, and returns where the next byte is.
func (s *scanner) varint(at, end int64) (uint64, int64, error) {
	if most := min(end, at+binary.MaxVarintLen64); at < s.from || most > s.to {
		n, err := s.r.ReadAt(s.buf[:], at)
		if s.from, s.to = at, at+int64(n); err != nil && s.to < most {
			return 0, 0, err
		}
	}
	x, used := binary.Uvarint(s.buf[at-s.from : min(end, s.to)-s.from])
	if used <= 0 {
		return 0, 0, fmt.Errorf("a number at byte %d does not end", at)
	}
	return x, at + int64(used), nil
}
