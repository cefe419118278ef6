package rust

import "github.com/findspot/findspot/codegraph/treesitter/internal/core"

// prelude are type and value names that are there without a use.
var prelude = core.Words(`Option Some None Result Ok Err Vec String Box Send Sync Sized Copy Clone Drop Fn FnMut FnOnce Iterator IntoIterator
	DoubleEndedIterator ExactSizeIterator Extend Default From Into TryFrom TryInto ToString ToOwned AsRef AsMut PartialEq Eq PartialOrd Ord Debug
	Hash Unpin std core alloc proc_macro test drop bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64`)

// holders are types that stand for what they hold.
var holders = core.Words(`Box Rc Arc Weak RefCell Cell Mutex RwLock Cow Pin Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard ManuallyDrop
	MaybeUninit NonNull Wrapping Reverse OnceCell OnceLock LazyCell LazyLock Lazy UnsafeCell AssertUnwindSafe AsRef AsMut Borrow BorrowMut Into
	ToOwned CachePadded Future BoxFuture JoinHandle Deref DerefMut Saturating Peekable Rev Take Skip Chain Fuse StepBy Cloned Copied Atomic`)

// listTypes are containers of their first type argument.
var listTypes = core.Words(`Option Vec VecDeque HashSet BTreeSet BinaryHeap LinkedList IndexSet Iterator IntoIterator DoubleEndedIterator
	ExactSizeIterator FusedIterator Stream Iter IterMut IntoIter Drain Sender Receiver SyncSender SmallVec ArrayVec Range FxHashSet AHashSet`)

// mapTypes are containers of pairs.
var mapTypes = core.Words(`HashMap BTreeMap IndexMap FxHashMap AHashMap DashMap`)
