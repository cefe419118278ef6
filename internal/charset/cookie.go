package charset

import (
	"bytes"
	"path"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/findspot/findspot/internal/lazyregexp"
)

func isPython(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".py", ".pyi", ".pyw":
		return true
	}
	return false
}

// The forms of PEP 263 (https://peps.python.org/pep-0263/): a declaration, and a first line that leaves it to the second.
var (
	declared = lazyregexp.New(`^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`)
	empty    = lazyregexp.New(`^[ \t\f]*(?:#.*)?\r?$`)
)

const maxCookie = 1000 // bytes of a line that are searched

// cookie gives the encoding that the text of a Python file declares, "" when it does not.
func cookie(b []byte) string {
	for range 2 {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		if len(line) > maxCookie {
			return ""
		}
		if m := declared.FindSubmatch(line); m != nil {
			return string(m[1])
		}
		if !empty.Match(line) {
			return ""
		}
		b = rest
	}
	return ""
}

// encodings are the encodings that extend ASCII by the names that Python has for them, in lower case and without "-", "_" and ".".
var encodings = func() map[string]encoding.Encoding {
	out := map[string]encoding.Encoding{}
	for names, e := range map[string]encoding.Encoding{
		"latin1 iso88591 88591 l1 cp819 latin":     charmap.ISO8859_1,
		"iso88592 latin2 l2":                       charmap.ISO8859_2,
		"iso88593 latin3 l3":                       charmap.ISO8859_3,
		"iso88594 latin4 l4":                       charmap.ISO8859_4,
		"iso88595 cyrillic":                        charmap.ISO8859_5,
		"iso88596 arabic":                          charmap.ISO8859_6,
		"iso88597 greek greek8":                    charmap.ISO8859_7,
		"iso88598 hebrew":                          charmap.ISO8859_8,
		"iso88599 latin5 l5":                       charmap.ISO8859_9,
		"iso885910 latin6 l6":                      charmap.ISO8859_10,
		"iso885913 latin7 l7":                      charmap.ISO8859_13,
		"iso885914 latin8 l8":                      charmap.ISO8859_14,
		"iso885915 latin9 l9":                      charmap.ISO8859_15,
		"iso885916 latin10 l10":                    charmap.ISO8859_16,
		"cp437 437 ibm437":                         charmap.CodePage437,
		"cp850 850 ibm850":                         charmap.CodePage850,
		"cp852 852 ibm852":                         charmap.CodePage852,
		"cp855 855 ibm855":                         charmap.CodePage855,
		"cp858 858 ibm858":                         charmap.CodePage858,
		"cp866 866 ibm866":                         charmap.CodePage866,
		"cp874":                                    charmap.Windows874,
		"cp1250 windows1250":                       charmap.Windows1250,
		"cp1251 windows1251":                       charmap.Windows1251,
		"cp1252 windows1252":                       charmap.Windows1252,
		"cp1253 windows1253":                       charmap.Windows1253,
		"cp1254 windows1254":                       charmap.Windows1254,
		"cp1255 windows1255":                       charmap.Windows1255,
		"cp1256 windows1256":                       charmap.Windows1256,
		"cp1257 windows1257":                       charmap.Windows1257,
		"cp1258 windows1258":                       charmap.Windows1258,
		"koi8r":                                    charmap.KOI8R,
		"koi8u":                                    charmap.KOI8U,
		"macroman macintosh":                       charmap.Macintosh,
		"maccyrillic":                              charmap.MacintoshCyrillic,
		"eucjp ujis":                               japanese.EUCJP,
		"shiftjis sjis csshiftjis cp932 932 ms932": japanese.ShiftJIS,
		"iso2022jp csiso2022jp":                    japanese.ISO2022JP,
		"euckr korean cp949 949 ms949 uhc ksc56011987":         korean.EUCKR,
		"gb2312 euccn eucgb2312cn chinese gbk cp936 936 ms936": simplifiedchinese.GBK,
		"gb18030 gb180302000":                                  simplifiedchinese.GB18030,
		"big5 big5tw csbig5 cp950 950 ms950":                   traditionalchinese.Big5,
	} {
		for _, n := range strings.Fields(names) {
			out[n] = e
		}
	}
	return out
}()

var punctuation = strings.NewReplacer("-", "", "_", "", ".", "")

// named gives the encoding with a name, nil for UTF-8, ASCII and what is not known. Editors put the form of line ends behind a name.
func named(name string) encoding.Encoding {
	name = strings.ToLower(name)
	for _, end := range []string{"-unix", "-dos", "-mac"} {
		name = strings.TrimSuffix(name, end)
	}
	return encodings[punctuation.Replace(name)]
}
