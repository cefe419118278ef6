package jsonrpc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
)

// maxNoise bounds what a server may write to its stdout between messages, in bytes over its whole life.
const maxNoise = 64 << 10

// frameReader reads the messages of a stream. Wrappers, runtimes and careless servers print lines to stdout, before the
// first message or between two; such lines are skipped, up to maxNoise bytes, and handed to noise.
type frameReader struct {
	r     *bufio.Reader
	noise func(string) // may be nil
	spent int
	first string // of the noise
}

func newFrameReader(r io.Reader) *frameReader { return &frameReader{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns the body of the next message, and the errors of readFrame.
func (f *frameReader) next() ([]byte, error) {
	for {
		line, err := readHeaderLine(f.r, maxNoise-f.spent)
		if err != nil {
			if f.first != "" && errors.Is(err, errs.Format) {
				return nil, f.tooNoisy()
			}
			return nil, err
		}
		if at := headerStart(line); at >= 0 {
			if at > 0 {
				f.skip(line[:at])
			}
			return readFrameFrom(f.r, line[at:])
		}
		f.skip(line + "\n")
		if f.spent >= maxNoise {
			return nil, f.tooNoisy()
		}
	}
}

func (f *frameReader) tooNoisy() error {
	return fmt.Errorf("%w: more than %d bytes that are no messages, they begin with %q", errs.Format, maxNoise, excerpt.Clip(f.first, 120))
}

func (f *frameReader) skip(text string) {
	f.spent += len(text)
	if strings.TrimSpace(text) == "" {
		return
	}
	if f.first == "" {
		f.first = strings.TrimSpace(text)
	}
	if f.noise != nil {
		f.noise("stdout: " + text)
	}
}

// header is the start of a header of the protocol. Its places are those of the line itself: lowering the case of bytes that
// are no UTF-8 would move them.
var (
	header       = lazyregexp.New(`^(?i:content-(?:length|type)):`)
	lengthBehind = lazyregexp.New(`(?i:content-length):\s*[0-9]+\s*$`)
)

// headerStart returns where a header of the protocol begins in a line: at its start, or, with a length, behind text
// without a line end. It returns -1 when there is none.
func headerStart(line string) int {
	if header.MatchString(line) {
		return 0
	}
	if at := lengthBehind.FindStringIndex(line); at != nil {
		return at[0]
	}
	return -1
}
