export function first(): string { return "📡"; } //@def(first), rename(first, initial)
export function second(): string { return first(); } //@def(second), use(first), calls(second, first)
