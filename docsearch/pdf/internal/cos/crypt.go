package cos

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
	"io"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"github.com/findspot/findspot/internal/errs"
)

// A method is how strings or streams are encrypted.
type method uint8

const (
	methodNone method = iota
	methodRC4
	methodAES   // AESV2: a key for each object
	methodAES32 // AESV3: the file's own 256-bit key
)

// A crypt decrypts a file by the standard security handler (ISO 32000-2, 7.6).
type crypt struct {
	ref       Ref // the encryption dictionary, whose strings are not encrypted
	key       []byte
	filters   map[Name]method
	string    method
	stream    method
	plainMeta bool
}

func (c *crypt) filter(name Name) method {
	if m, ok := c.filters[name]; ok {
		return m
	}
	return methodNone
}

var padding = []byte("\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A")

// unlock prepares decryption, if the trailer asks for it.
func (f *File) unlock(ctx context.Context, password string) error {
	e := f.trailer["Encrypt"]
	if e == nil {
		return nil
	}
	r, _ := e.(Ref)
	d, ok := f.Resolve(ctx, e).(Dict)
	if !ok {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.report(fmt.Errorf("%w: the encryption dictionary cannot be read; reading as if not encrypted", errs.Format))
		return nil
	}
	h := handler{f: f, ctx: ctx, d: d}
	if name := h.name("Filter"); name != "Standard" {
		return fmt.Errorf("%w: it only opens with the program %q that locked it", errs.Encrypted, name)
	}
	if err := h.read(); err != nil {
		return err
	}
	c := &crypt{ref: r, filters: h.filters, stream: h.stream, string: h.string, plainMeta: !h.encryptMeta}
	for _, p := range h.passwords(password) {
		if c.key = h.open(p); c.key != nil {
			f.objects.clear() // read without decryption
			f.streams.clear()
			f.crypt = c
			return nil
		}
	}
	if password != "" {
		return fmt.Errorf("%w: this is not the password", errs.Encrypted)
	}
	return fmt.Errorf("%w: a password is needed", errs.Encrypted)
}

// A handler holds the encryption dictionary's entries while a password is looked for.
type handler struct {
	f              *File
	ctx            context.Context // of Open, which it does not outlive
	d              Dict
	v, r           int
	n              int // bytes of the key
	o, u, oe, ue   []byte
	perms          uint32
	id             []byte
	encryptMeta    bool
	filters        map[Name]method
	stream, string method
}

func (h *handler) get(key string) Object { return h.f.Resolve(h.ctx, h.d[key]) }

func (h *handler) name(key string) Name {
	n, _ := h.get(key).(Name)
	return n
}

func (h *handler) int(key string, def int) int {
	if v, ok := h.get(key).(Integer); ok {
		return int(v)
	}
	return def
}

func (h *handler) bytes(key string) []byte {
	s, _ := h.get(key).(String)
	return []byte(s)
}

func (h *handler) read() error {
	h.v, h.r = h.int("V", 0), h.int("R", 2)
	h.n = h.int("Length", 40)
	if h.n >= 40 {
		h.n /= 8
	}
	h.o, h.u, h.oe, h.ue = h.bytes("O"), h.bytes("U"), h.bytes("OE"), h.bytes("UE")
	h.perms = uint32(h.int("P", 0))
	h.encryptMeta = true
	if b, ok := h.get("EncryptMetadata").(Bool); ok {
		h.encryptMeta = bool(b)
	}
	if ids, ok := h.f.Resolve(h.ctx, h.f.trailer["ID"]).(Array); ok && len(ids) > 0 {
		s, _ := h.f.Resolve(h.ctx, ids[0]).(String)
		h.id = []byte(s)
	}
	h.stream, h.string = methodRC4, methodRC4
	switch h.v {
	case 1:
		h.n = 5
	case 2, 3:
	case 4, 5, 6:
		if h.d["Length"] == nil || h.n < 5 {
			h.n = 16
		}
		h.readFilters()
		if h.v > 4 {
			h.n = 32
		}
	default:
		return fmt.Errorf("%w with an unknown method (V %d)", errs.Encrypted, h.v)
	}
	h.n = max(5, min(h.n, 32))
	if h.r < 5 {
		h.n = min(h.n, 16)
	}
	if h.r >= 5 && (len(h.o) < 48 || len(h.u) < 48 || len(h.oe) < 32 || len(h.ue) < 32) || h.r < 5 && (len(h.o) < 32 || len(h.u) < 16) {
		return fmt.Errorf("%w: the encryption dictionary lacks its keys", errs.Format)
	}
	return nil
}

// readFilters reads the crypt filters and which of them streams and strings use.
func (h *handler) readFilters() {
	h.filters = map[Name]method{}
	cf, _ := h.get("CF").(Dict)
	for name, o := range cf {
		d, _ := h.f.Resolve(h.ctx, o).(Dict)
		m := methodNone
		switch n, _ := h.f.Resolve(h.ctx, d["CFM"]).(Name); n {
		case "V2":
			m = methodRC4
		case "AESV2":
			m = methodAES
		case "AESV3":
			m = methodAES32
		}
		h.filters[Name(name)] = m
	}
	h.filters["Identity"] = methodNone
	d, _ := h.f.Resolve(h.ctx, cf[string(h.name("StmF"))]).(Dict)
	if n, ok := h.f.Resolve(h.ctx, d["Length"]).(Integer); ok && n >= 40 { // in bits, as some write it
		h.n = int(min(n, 256)) / 8
	} else if ok && n >= 5 {
		h.n = int(n)
	}
	if h.filters[h.name("StmF")] == methodAES {
		h.n = 16
	}
	h.stream, h.string = h.filters[h.name("StmF")], h.filters[h.name("StrF")]
}

// passwords are the byte strings that a password may stand for, the empty one first.
func (h *handler) passwords(p string) [][]byte {
	list := [][]byte{{}}
	if p == "" {
		return list
	}
	if h.r >= 5 {
		return append(list, limit([]byte(norm.NFKC.String(p)), 127), limit([]byte(p), 127))
	}
	if b, err := charmap.Windows1252.NewEncoder().String(p); err == nil {
		list = append(list, []byte(b))
	}
	return append(list, []byte(p))
}

func limit(b []byte, n int) []byte { return b[:min(len(b), n)] }

// open returns the file's key when the password is the user's or the owner's, else nil.
func (h *handler) open(password []byte) []byte {
	if h.r >= 5 {
		return h.open256(password)
	}
	if key := h.user(password); key != nil {
		return key
	}
	// The owner's password encrypts the user's.
	key := md5.Sum(pad(password))
	if h.r >= 3 {
		for range 50 {
			key = md5.Sum(key[:h.n])
		}
	}
	u := bytes.Clone(h.o[:32])
	if h.r < 3 {
		xorRC4(key[:h.n], u)
	} else {
		for i := 19; i >= 0; i-- {
			xorRC4(xored(key[:h.n], byte(i)), u)
		}
	}
	return h.user(u)
}

func pad(password []byte) []byte {
	return append(append([]byte(nil), limit(password, 32)...), padding...)[:32]
}

func xored(key []byte, v byte) []byte {
	out := bytes.Clone(key)
	for i := range out {
		out[i] ^= v
	}
	return out
}

// user checks a user password (algorithms 2, 4 and 5).
func (h *handler) user(password []byte) []byte {
	m := md5.New()
	m.Write(pad(password))
	m.Write(h.o[:32])
	m.Write(binary.LittleEndian.AppendUint32(nil, h.perms))
	m.Write(h.id)
	if h.r >= 4 && !h.encryptMeta {
		m.Write([]byte{0xFF, 0xFF, 0xFF, 0xFF})
	}
	key := m.Sum(nil)
	if h.r >= 3 {
		for range 50 {
			sum := md5.Sum(key[:h.n])
			key = sum[:]
		}
	}
	key = key[:h.n]
	if h.r < 3 {
		got := bytes.Clone(padding)
		xorRC4(key, got)
		if bytes.Equal(got[:min(32, len(h.u))], h.u[:min(32, len(h.u))]) {
			return key
		}
		return nil
	}
	sum := md5.Sum(append(bytes.Clone(padding), h.id...))
	got := sum[:]
	for i := range 20 {
		xorRC4(xored(key, byte(i)), got)
	}
	if bytes.Equal(got, h.u[:16]) {
		return key
	}
	return nil
}

// open256 checks a password against the keys of AES-256 (algorithms 2.A and 2.B; revision 5 hashes once).
func (h *handler) open256(password []byte) []byte {
	o, u := h.o[:48], h.u[:48]
	hash, wrapped := []byte(nil), h.ue
	switch {
	case bytes.Equal(h.hash(password, u[32:40], nil), u[:32]):
		hash = h.hash(password, u[40:48], nil)
	case bytes.Equal(h.hash(password, o[32:40], u), o[:32]):
		hash, wrapped = h.hash(password, o[40:48], u), h.oe
	default:
		return nil
	}
	b, err := aes.NewCipher(hash)
	if err != nil {
		return nil
	}
	key := make([]byte, 32)
	cipher.NewCBCDecrypter(b, make([]byte, 16)).CryptBlocks(key, wrapped[:32])
	return key
}

func (h *handler) hash(password, salt, u []byte) []byte {
	in := append(append(bytes.Clone(password), salt...), u...)
	sum := sha256.Sum256(in)
	k := sum[:]
	if h.r == 5 {
		return k
	}
	for round := 0; ; round++ {
		k1 := bytes.Repeat(append(append(bytes.Clone(password), k...), u...), 64)
		b, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(b, k[16:32]).CryptBlocks(k1, k1)
		mod := 0
		for _, c := range k1[:16] {
			mod += int(c)
		}
		switch mod % 3 {
		case 0:
			s := sha256.Sum256(k1)
			k = s[:]
		case 1:
			s := sha512.Sum384(k1)
			k = s[:]
		default:
			s := sha512.Sum512(k1)
			k = s[:]
		}
		if round >= 63 && int(k1[len(k1)-1]) <= round-31 {
			return k[:32]
		}
	}
}

func xorRC4(key, data []byte) {
	if c, err := rc4.NewCipher(key); err == nil { // keys have 5 to 16 bytes
		c.XORKeyStream(data, data)
	}
}

// objectKey is the key for one object (algorithm 1).
func (c *crypt) objectKey(r Ref, m method) []byte {
	if m == methodAES32 {
		return c.key
	}
	in := append(bytes.Clone(c.key), byte(r.Num), byte(r.Num>>8), byte(r.Num>>16), byte(r.Gen), byte(r.Gen>>8))
	if m == methodAES {
		in = append(in, "sAlT"...)
	}
	sum := md5.Sum(in)
	return sum[:min(len(c.key)+5, 16)]
}

// stringKey returns what decrypts the strings of an object; nil when they are not encrypted.
func (c *crypt) stringKey(r Ref) func([]byte) []byte {
	switch c.string {
	case methodNone:
		return nil
	case methodRC4:
		return func(b []byte) []byte {
			xorRC4(c.objectKey(r, methodRC4), b)
			return b
		}
	}
	return func(b []byte) []byte {
		out, err := io.ReadAll(newAES(bytes.NewReader(b), c.objectKey(r, c.string)))
		if err != nil {
			return nil
		}
		return out
	}
}

// reader decrypts a stream.
func (c *crypt) reader(r io.Reader, at Ref, m method) io.Reader {
	switch m {
	case methodRC4:
		if s, err := rc4.NewCipher(c.objectKey(at, m)); err == nil {
			return &cipher.StreamReader{S: s, R: r}
		}
	case methodAES, methodAES32:
		return newAES(r, c.objectKey(at, m))
	}
	return r
}

// An aesReader decrypts AES in CBC mode; the first block is the initialisation vector. The padding of the last block is
// left out where it is right; a part of a block at the end is dropped.
type aesReader struct {
	r    io.Reader
	key  []byte
	mode cipher.BlockMode
	buf  [4096]byte
	next [16]byte // the block that may be the last
	have bool     // next is filled
	out  []byte   // decrypted, part of buf
	err  error
}

func newAES(r io.Reader, key []byte) *aesReader { return &aesReader{r: r, key: key} }

func (a *aesReader) Read(p []byte) (int, error) {
	for len(a.out) == 0 {
		if a.err != nil {
			return 0, a.err
		}
		a.fill()
	}
	n := copy(p, a.out)
	a.out = a.out[n:]
	return n, nil
}

func (a *aesReader) fill() {
	if a.mode == nil {
		b, err := aes.NewCipher(a.key)
		if err != nil {
			a.err = err
			return
		}
		var iv [16]byte
		if _, err := io.ReadFull(a.r, iv[:]); err != nil {
			a.err = end(err)
			return
		}
		a.mode = cipher.NewCBCDecrypter(b, iv[:])
	}
	at := 0
	if a.have {
		at = len(a.next)
	}
	n, err := io.ReadFull(a.r, a.buf[16:])
	if err != nil {
		a.err = end(err)
	}
	if n -= n % 16; n > 0 {
		a.mode.CryptBlocks(a.buf[16:16+n], a.buf[16:16+n])
	}
	out := a.buf[16-at : 16+n]
	if at > 0 {
		copy(out, a.next[:])
	}
	if a.err == nil { // keep the last block back
		a.have = true
		copy(a.next[:], out[len(out)-16:])
		out = out[:len(out)-16]
	} else if len(out) > 0 {
		if k := int(out[len(out)-1]); k >= 1 && k <= 16 && bytes.Count(out[len(out)-k:], out[len(out)-1:]) == k {
			out = out[:len(out)-k]
		}
	}
	a.out = out
}

// end takes a stream that ends within a block for one that ends.
func end(err error) error {
	if err == io.ErrUnexpectedEOF {
		return io.EOF
	}
	return err
}
