package c

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// stdHeaders are headers of the C library, POSIX and C++ that repositories have files of the same name for.
var stdHeaders = core.Words(`assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h
stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h
wchar.h wctype.h unistd.h fcntl.h dirent.h poll.h pthread.h pwd.h regex.h sched.h semaphore.h strings.h syslog.h termios.h utime.h
getopt.h glob.h grp.h netdb.h dlfcn.h malloc.h memory.h endian.h byteswap.h windows.h io.h process.h direct.h
algorithm any array atomic bit bitset chrono compare complex concepts condition_variable coroutine deque exception execution expected
filesystem format forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list
locale map memory mutex new numbers numeric optional ostream print queue random ranges ratio regex scoped_allocator semaphore set
shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view system_error thread tuple type_traits
typeindex typeinfo unordered_map unordered_set utility valarray variant vector version
cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime
cuchar cwchar cwctype`)

// library are the types of numbers and of what points to them: each number can be given for each other.
var library = func() *lang.Outside {
	numbers := strings.Split("bool,char,signed char,short,unsigned short,int,unsigned int,long,unsigned long,long long,unsigned long long,unsigned char,"+
		"int8_t,uint8_t,int16_t,uint16_t,int32_t,uint32_t,int64_t,uint64_t,size_t,ssize_t,ptrdiff_t,intptr_t,uintptr_t,float,double,long double,"+
		"char16_t,char32_t,wchar_t", ",")
	o := &lang.Outside{Null: "nullptr", Values: map[string]bool{}, Wider: map[string][]string{}}
	for _, n := range numbers {
		o.Values[n] = true
		first := "" // what it is promoted to (C++17, 7.6 and 7.7)
		switch n {
		case "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int8_t", "uint8_t", "int16_t", "uint16_t":
			first = "int"
		case "float":
			first = "double"
		}
		o.Wider[n] = append([]string{first}, numbers...)
		o.Wider[n+"*"] = []string{lang.ConstType + n + "*", "void*", lang.ConstType + "void*", "bool"}
		o.Wider[lang.ConstType+n+"*"] = []string{"", lang.ConstType + "void*", "bool"}
	}
	return o
}()

var rules = lang.Rules{
	Family:       "c",
	Constructors: []string{""},
	Class:        "__class__",
	Call:         "operator()",
	ClassScope:   true,
	Typed:        true,
	AllExported:  true,
	Includes:     true,
	Outside:      library,
	Builtins: core.Words(`NULL __func__ __FILE__ __LINE__ __VA_ARGS__ offsetof sizeof va_start va_end va_arg va_copy true false nullptr
assert defined errno stdin stdout stderr std`),
	Common: core.Words(`size length empty begin end cbegin cend rbegin rend front back push_back pop_back push_front pop_front emplace emplace_back
insert erase clear find count at data resize reserve capacity swap assign append substr c_str str compare replace get reset release
lock unlock try_lock load store exchange first second what name open close read write seek tell flush good fail eof bad getline put peek
push pop top join detach wait notify_one notify_all value has_value value_or emplace_front lower_bound upper_bound key next prev run
start stop init print add remove set contains`),
}
