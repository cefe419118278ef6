package jsonrpc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
)

const (
	// maxHeader bounds the header lines of one message, in bytes.
	maxHeader = 8 << 10
	// MaxBody bounds the body of one message, in bytes. The largest honest answers, symbols of a big workspace, have a
	// few megabytes.
	MaxBody = 64 << 20
)

// ReadFrame reads one message of the base protocol: header lines that end in CRLF, an empty line, and as many bytes of
// body as Content-Length says. It returns io.EOF only between messages. Bytes that are not a message are an error that
// quotes them; after an error the stream is of no use.
//
// The rules are those of the Language Server Protocol 3.18, "Base protocol". A line that ends in LF alone is taken too.
func ReadFrame(r *bufio.Reader) ([]byte, error) {
	line, err := readHeaderLine(r, maxHeader)
	if err != nil {
		return nil, err
	}
	return readFrameFrom(r, line)
}

// readFrameFrom is readFrame when the first header line has been read already.
func readFrameFrom(r *bufio.Reader, line string) ([]byte, error) {
	length, header, first := -1, 0, ""
	for ; ; header += len(line) + 1 {
		if header > 0 {
			var err error
			if line, err = readHeaderLine(r, maxHeader-header); err != nil {
				if errors.Is(err, io.EOF) {
					return nil, fmt.Errorf("%w: the stream ends inside a header", errs.Format)
				}
				return nil, err
			}
		}
		full := len(line)
		line = strings.TrimSuffix(line, "\r")
		header += full - len(line)
		if line == "" {
			if length < 0 {
				return nil, fmt.Errorf("%w: a message without Content-Length: %q", errs.Format, excerpt.Clip(first, 120))
			}
			break
		}
		if first == "" {
			first = line
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || !isToken(name) {
			return nil, fmt.Errorf("%w: not a header of the protocol: %q", errs.Format, excerpt.Clip(line, 120))
		}
		if strings.EqualFold(name, "Content-Length") {
			n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31)
			if err != nil {
				return nil, fmt.Errorf("%w: Content-Length %q", errs.Format, excerpt.Clip(value, 40))
			}
			if n > MaxBody {
				return nil, fmt.Errorf("%w: a message of %d bytes, the limit is %d", errs.TooLarge, n, MaxBody)
			}
			if length >= 0 && length != int(n) {
				return nil, fmt.Errorf("%w: two different lengths in one header: %d and %d", errs.Format, length, n)
			}
			length = int(n)
		}
		if _, params, ok := strings.Cut(value, ";"); ok && strings.EqualFold(name, "Content-Type") && !isUTF8(params) {
			return nil, fmt.Errorf("%w: a message that is not in UTF-8: %q", errs.Format, excerpt.Clip(line, 120))
		}
	}
	return readBody(r, length)
}

// isUTF8 reports whether the parameters of a media type name UTF-8 or no charset. "utf8" is what the protocol said once.
func isUTF8(params string) bool {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(strings.TrimSpace(name), "charset") {
			value = strings.Trim(strings.TrimSpace(value), `"`)
			return strings.EqualFold(value, "utf-8") || strings.EqualFold(value, "utf8")
		}
	}
	return true
}

// readBody reads n bytes. Memory grows with what arrives, not with what a header promises.
func readBody(r io.Reader, n int) ([]byte, error) {
	const step = 1 << 20
	body := make([]byte, 0, min(n, step))
	for len(body) < n {
		at := len(body)
		body = append(body, make([]byte, min(n-at, step))...)
		if _, err := io.ReadFull(r, body[at:]); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil, fmt.Errorf("%w: the stream ends inside a message", errs.Format)
			}
			return nil, err
		}
	}
	return body, nil
}

// readHeaderLine returns the bytes before the next LF. A line longer than limit is an error, and so is one cut off by
// the end of the stream; at the end of the stream it is io.EOF.
func readHeaderLine(r *bufio.Reader, limit int) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > limit {
			return "", fmt.Errorf("%w: headers of more than %d bytes, they begin with %q", errs.Format, maxHeader, excerpt.Clip(string(line), 120))
		}
		switch {
		case err == nil:
			return string(line[:len(line)-1]), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return "", fmt.Errorf("%w: the stream ends inside a header: %q", errs.Format, excerpt.Clip(string(line), 120))
		default:
			return "", err
		}
	}
}

// isToken reports whether s can be the name of a header field (RFC 9110, the characters that are in use).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return s != ""
}

// Frame returns body with its header in front, as one slice, so that one write sends it.
func Frame(body []byte) []byte {
	out := make([]byte, 0, len(body)+32)
	out = append(out, "Content-Length: "...)
	out = strconv.AppendInt(out, int64(len(body)), 10)
	out = append(out, "\r\n\r\n"...)
	return append(out, body...)
}
