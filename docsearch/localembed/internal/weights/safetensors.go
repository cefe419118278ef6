package weights

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/findspot/findspot/internal/errs"
)

// maxHeader is the most bytes of the list of tensors; a large model's has a hundredth of it.
const maxHeader = 16 << 20

// Safetensors reads the list of tensors of a file of so many bytes: the length of a JSON object as 8 bytes, the object,
// and the numbers of the tensors, at offsets from its end (the format's description by its authors).
func Safetensors(r io.ReaderAt, size int64) (*File, error) {
	var head [8]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, fmt.Errorf("%w: it has no header: %v", errs.Format, err)
	}
	n := binary.LittleEndian.Uint64(head[:])
	if n > maxHeader || int64(n) > size-8 {
		return nil, fmt.Errorf("%w: a header of %d bytes, in a file of %d", errs.Format, n, size)
	}
	data := make([]byte, n)
	if _, err := r.ReadAt(data, 8); err != nil {
		return nil, fmt.Errorf("%w: header: %v", errs.Format, err)
	}
	var list map[string]json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%w: header: %v", errs.Format, err)
	}
	if len(list) > maxTensors {
		return nil, fmt.Errorf("%w: %d tensors", errs.TooLarge, len(list))
	}
	f := &File{r: r, tensors: make(map[string]tensor, len(list))}
	for name, raw := range list {
		if name == "__metadata__" {
			continue
		}
		var x struct {
			Type    string   `json:"dtype"`
			Shape   []int64  `json:"shape"`
			Offsets [2]int64 `json:"data_offsets"`
		}
		if err := json.Unmarshal(raw, &x); err != nil {
			return nil, fmt.Errorf("%w: tensor %q: %v", errs.Format, name, err)
		}
		if x.Offsets[0] < 0 || x.Offsets[0] > x.Offsets[1] || x.Offsets[1] > size {
			return nil, fmt.Errorf("%w: tensor %q: it lies from %d to %d, in a file of %d bytes", errs.Format, name, x.Offsets[0], x.Offsets[1], size)
		}
		t := tensor{shape: x.Shape, at: 8 + int64(n) + x.Offsets[0], len: x.Offsets[1] - x.Offsets[0]}
		switch x.Type {
		case "F32":
			t.kind = float32s
		case "F16":
			t.kind = float16s
		case "BF16":
			t.kind = bfloat16s
		}
		if err := t.check(size); err != nil {
			return nil, fmt.Errorf("%w: tensor %q: %w", errs.Format, name, err)
		}
		f.tensors[name] = t
	}
	return f, f.find()
}
