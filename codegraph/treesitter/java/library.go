package java

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// plainTypes are types that are everywhere: mentions of them are left out.
var plainTypes = core.Words("String Object Integer Long Boolean Double Float Byte Short Character Void Override Deprecated SuppressWarnings Class")

var rules = lang.Rules{
	Constructors: []string{""},
	PackageScope: true,
	ClassScope:   true,
	AllExported:  true,
	Linear:       true,
	Inherit:      true,
	Declared:     true,
	Typed:        true,
	VarMark:      varMark,
	Outside:      library,
	Universal:    core.Words("equals hashCode toString getClass notify notifyAll wait clone finalize"),
	Builtins: core.Words(`AbstractMethodError Appendable ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException
AssertionError AutoCloseable Boolean Byte CharSequence Character Class ClassCastException ClassLoader ClassNotFoundException
CloneNotSupportedException Cloneable Comparable Deprecated Double Enum Error Exception ExceptionInInitializerError Float FunctionalInterface
IllegalAccessException IllegalArgumentException IllegalMonitorStateException IllegalStateException IndexOutOfBoundsException
InheritableThreadLocal InstantiationException Integer InterruptedException Iterable LinkageError Long Math Module NegativeArraySizeException
NoClassDefFoundError NoSuchFieldException NoSuchMethodException NullPointerException Number NumberFormatException Object OutOfMemoryError
Override Package Process ProcessBuilder ProcessHandle Readable Record ReflectiveOperationException Runnable Runtime RuntimeException SafeVarargs
SecurityException Short StackOverflowError StackTraceElement StackWalker StrictMath String StringBuffer StringBuilder
StringIndexOutOfBoundsException SuppressWarnings System Thread ThreadGroup ThreadLocal Throwable UnsupportedOperationException
VirtualMachineError Void`),
	Common: core.Words(`add addAll append apply accept test get set put remove contains containsKey isEmpty size length iterator next hasNext
close read write flush run call equals hashCode toString compareTo compare name ordinal values valueOf getName getValue getKey getMessage
getCause stream filter map collect forEach of copyOf charAt substring indexOf split trim format print println printStackTrace start stop
join wait notify clear keySet entrySet toArray sort min max abs getClass clone newInstance cast parse matches find group init reset build
create invoke execute submit lock unlock await countDown exists delete getPath getParent getType getId`),
}

var library = &lang.Outside{
	Any:    "Object",
	Null:   "null",
	Values: core.Words("boolean byte short char int long float double"),
	Final:  core.Words("String Integer Long Boolean Double Float Byte Short Character StringBuilder StringBuffer Class Math System Optional UUID"),
	Lambdas: map[string]int{
		"Runnable": 0, "Callable": 0, "Supplier": 0, "BooleanSupplier": 0, "IntSupplier": 0, "LongSupplier": 0, "DoubleSupplier": 0,
		"Consumer": 1, "Function": 1, "Predicate": 1, "UnaryOperator": 1, "IntFunction": 1, "ToIntFunction": 1, "ToLongFunction": 1,
		"ToDoubleFunction": 1, "IntPredicate": 1, "IntUnaryOperator": 1, "IntConsumer": 1, "LongFunction": 1, "DoubleFunction": 1,
		"BiConsumer": 2, "BiFunction": 2, "BiPredicate": 2, "BinaryOperator": 2, "IntBinaryOperator": 2, "Comparator": 2, "ToIntBiFunction": 2,
	},
	Wider: widenings(`
byte: short int long float double Byte Number
short: int long float double Short Number
char: int long float double Character
int: long float double Integer Number
long: float double Long Number
float: double Float Number
double: Double Number
boolean: Boolean
Byte: byte short int long float double Number Comparable Serializable
Short: short int long float double Number Comparable Serializable
Character: char int long float double Comparable Serializable
Integer: int long float double Number Comparable Serializable
Long: long float double Number Comparable Serializable
Float: float double Number Comparable Serializable
Double: double Number Comparable Serializable
Boolean: boolean Comparable Serializable
String: CharSequence Comparable Serializable
StringBuilder: CharSequence Appendable Comparable Serializable
StringBuffer: CharSequence Appendable Comparable Serializable
CharSequence:
Class: Type AnnotatedElement GenericDeclaration Serializable
ArrayList: AbstractList List Collection Iterable RandomAccess Serializable
LinkedList: List Deque Queue Collection Iterable Serializable
HashMap: AbstractMap Map Serializable
LinkedHashMap: HashMap AbstractMap Map Serializable
TreeMap: NavigableMap SortedMap AbstractMap Map Serializable
ConcurrentHashMap: ConcurrentMap AbstractMap Map Serializable
HashSet: AbstractSet Set Collection Iterable Serializable
LinkedHashSet: HashSet AbstractSet Set Collection Iterable Serializable
TreeSet: NavigableSet SortedSet AbstractSet Set Collection Iterable Serializable
List: Collection Iterable
Set: Collection Iterable
SortedSet: Set Collection Iterable
Queue: Collection Iterable
Deque: Queue Collection Iterable
Collection: Iterable
Map:
Iterator:
Iterable:
Object:
File: Comparable Serializable
StringReader: Reader Readable Closeable AutoCloseable
InputStreamReader: Reader Readable Closeable AutoCloseable
BufferedReader: Reader Readable Closeable AutoCloseable
FileReader: InputStreamReader Reader Readable Closeable AutoCloseable
Reader: Readable Closeable AutoCloseable
StringWriter: Writer Appendable Closeable Flushable AutoCloseable
PrintWriter: Writer Appendable Closeable Flushable AutoCloseable
OutputStreamWriter: Writer Appendable Closeable Flushable AutoCloseable
Writer: Appendable Closeable Flushable AutoCloseable
InputStream: Closeable AutoCloseable
FileInputStream: InputStream Closeable AutoCloseable
ByteArrayInputStream: InputStream Closeable AutoCloseable
OutputStream: Closeable Flushable AutoCloseable
ByteArrayOutputStream: OutputStream Closeable Flushable AutoCloseable
PrintStream: FilterOutputStream OutputStream Appendable Closeable Flushable AutoCloseable
BigDecimal: Number Comparable Serializable
BigInteger: Number Comparable Serializable
Path: Comparable Iterable Watchable
URL: Serializable
URI: Comparable Serializable
Date: Comparable Cloneable Serializable
Calendar: Comparable Cloneable Serializable
GregorianCalendar: Calendar Comparable Cloneable Serializable
Locale: Cloneable Serializable
Method: Executable AccessibleObject AnnotatedElement GenericDeclaration Member
Constructor: Executable AccessibleObject AnnotatedElement GenericDeclaration Member
Field: AccessibleObject AnnotatedElement Member
ParameterizedType: Type
WildcardType: Type
TypeVariable: Type AnnotatedElement
GenericArrayType: Type
Type:
`),
	Results: results(`
int: =length length size indexOf lastIndexOf hashCode compareTo compareToIgnoreCase intValue parseInt ordinal nextInt getModifiers codePointAt
 getNumericValue bitCount signum availableProcessors identityHashCode waitFor groupCount
long: longValue currentTimeMillis nanoTime parseLong nextLong getTime toMillis toNanos lastModified totalMemory freeMemory
double: doubleValue parseDouble nextDouble random sqrt pow floor ceil log exp sin cos
float: floatValue parseFloat nextFloat
byte: byteValue parseByte
short: shortValue parseShort
char: charAt charValue
boolean: equals isEmpty contains startsWith endsWith matches hasNext equalsIgnoreCase containsKey containsValue isPresent booleanValue
 parseBoolean isDigit isLetter isLetterOrDigit isWhitespace isUpperCase isLowerCase isArray isInterface isEnum isPrimitive
 isInstance isAssignableFrom exists isDirectory isFile hasMoreElements anyMatch allMatch noneMatch isAnnotationPresent isInterrupted
 lookingAt isBlank
String: toString substring trim toLowerCase toUpperCase getName getSimpleName getMessage getLocalizedMessage name concat replaceAll
 replaceFirst getCanonicalName getProperty getenv readLine toPattern getPackageName getTypeName format toPlainString toHexString
 toBinaryString toOctalString lineSeparator repeat strip stripLeading stripTrailing nextToken getAbsolutePath getPath group
Class: getClass getComponentType getSuperclass getDeclaringClass getEnclosingClass forName getReturnType getRawClass
Iterator: iterator
=: append insert reverse valueOf deleteCharAt setLength clone intern negate multiply subtract
char[]: toCharArray
byte[]: getBytes toByteArray
String[]: split
Throwable: getCause
Object: readObject newProxyInstance
Method: getMethod getDeclaredMethod
Field: getField getDeclaredField
Type: getGenericSuperclass getGenericType getRawType getOwnerType
Type[]: getActualTypeArguments getUpperBounds getLowerBounds getGenericInterfaces getBounds
Class[]: getParameterTypes getInterfaces
Package: getPackage
Object[]: getEnumConstants
`),
	Members: lang.Members(`
value: get getOrDefault next previous remove poll pop element take first last getFirst getLast pollFirst pollLast peekFirst peekLast
 removeFirst removeLast orElse orElseGet orElseThrow getValue getPlain getAcquire put merge computeIfAbsent computeIfPresent compute putIfAbsent
 replace call apply join newInstance cast nextElement elementAt floor ceiling higher lower set firstElement lastElement getAndSet getNow
 resultNow getAndUpdate updateAndGet setValue push offerFirst
key: getKey firstKey lastKey floorKey ceilingKey higherKey lowerKey
same: iterator listIterator stream parallelStream filter sorted distinct limit skip subList values elements headSet tailSet subSet collect toList
 toArray findFirst findAny min max or reversed takeWhile dropWhile onClose sequential parallel unordered boxed clone descendingIterator headMap
 tailMap subMap spliterator asIterator firstEntry lastEntry pollFirstEntry pollLastEntry floorEntry ceilingEntry higherEntry lowerEntry
 descendingMap descendingSet getParameterTypes whenComplete thenAccept exceptionally toSet ifPresent concat
both: peek reduce
entries: entrySet
keys: keySet navigableKeySet keys descendingKeySet
mapped: map mapToObj thenApply thenApplyAsync handle
flat: flatMap thenCompose mapMulti
takes: forEach forEachOrdered forEachRemaining removeIf anyMatch allMatch noneMatch sort replaceAll ifPresentOrElse mapToInt mapToLong mapToDouble
 flatMapToInt thenRun thenAcceptAsync accept test applyAsInt applyAsLong applyAsDouble compare andThen compose andFinally tryAdvance
`),
}

// widenings reads lines of a type and the types it may be given to.
func widenings(s string) map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(s) {
		if name, rest, ok := strings.Cut(line, ":"); ok {
			m[name] = strings.Fields(rest)
		}
	}
	return m
}

// results reads a type and the methods that give it; a line that begins with a space goes on.
func results(s string) map[string]string {
	m := map[string]string{}
	typ := ""
	for line := range strings.Lines(s) {
		if name, rest, ok := strings.Cut(line, ":"); ok {
			typ, line = name, rest
		}
		for _, w := range strings.Fields(line) {
			m[w] = typ
		}
	}
	return m
}
