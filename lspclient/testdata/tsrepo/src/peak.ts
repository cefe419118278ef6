export function peak(n: number): number { //@def(peak)
  return n / 2;
}
