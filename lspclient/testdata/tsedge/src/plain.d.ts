export function stubbed(n: number): number; //@decl(stubbed)
