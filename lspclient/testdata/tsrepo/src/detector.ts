export interface Detector { //@def(Detector)
  detect(n: number): boolean;
}
