package javascript

import (
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

var rules = lang.Rules{
	Family:       "javascript",
	Constructors: []string{"constructor"},
	Class:        "constructor",
	Call:         callMethod,
	Typed:        true,
	Objects:      true,
	Config:       []string{"tsconfig*.json", "jsconfig*.json", "package.json"},
	Builtins: core.Words(`Array ArrayBuffer Atomics BigInt Boolean DataView Date Error EvalError Function Infinity Intl JSON Map
Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError
URIError URL URLSearchParams WeakMap WeakRef WeakSet console decodeURI decodeURIComponent document encodeURI
encodeURIComponent eval exports fetch global globalThis isFinite isNaN module navigator parseFloat parseInt process
queueMicrotask require clearInterval clearTimeout setInterval setTimeout setImmediate structuredClone window Buffer
__dirname __filename alert AbortController TextDecoder TextEncoder Uint8Array Int8Array Uint16Array Int16Array
Uint32Array Int32Array Float32Array Float64Array describe it test expect beforeEach afterEach beforeAll afterAll jest`),
	Common: core.Words(`add apply assign at bind call catch charAt clear close concat delete destroy emit end endsWith entries error
every exec filter finally find findIndex flat flatMap forEach get has hasOwnProperty includes indexOf info join keys
lastIndexOf length log map match next off on once open parse pipe pop push put read reduce reject remove replace
request resolve reverse search send set shift slice some sort splice split start startsWith stop stringify substr
substring test then toFixed toLowerCase toString toUpperCase trim unshift update use valueOf values warn write`),
}
