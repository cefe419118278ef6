export function stubbed(n) { return n; } //@def(stubbed), rename(stubbed, covered)
export function again() { return stubbed(2); } //@def(again), use(stubbed), calls(again, stubbed)
