int first() { return sizeof("📡"); } //@def(first), rename(first, initial)
int second() { return first(); } //@def(second), use(first), calls(second, first)
