pub fn first() -> usize { "📡".len() } //@def(first), rename(first, initial), name("wire::mark::first"), name("mark::first")
pub fn second() -> usize { first() } //@def(second), use(first), calls(second, first)
