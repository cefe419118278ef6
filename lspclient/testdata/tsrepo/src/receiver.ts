import type { Detector } from "./detector.js"; //@use(Detector)
import { peak } from "./peak.js"; //@use(peak)

// Receiver counts samples.
export class Receiver implements Detector { //@def(Receiver), use(Detector)
  seen = 0; //@def(seen)

  detect(n: number): boolean; // the first overload
  detect(n: string): boolean;
  detect(n: number | string): boolean {
    this.seen += Number(n); //@use(seen)
    return peak(this.seen) > 2; //@use(peak), use(seen)
  }
}

/** The name café 📡 stands before a use. */
export class Bank<T extends Receiver> { //@def(Bank), use(Receiver)
  list: T[] = [];
}

export default class Antenna {} //@def(Antenna)

export enum Band { //@def(Band)
  Low, //@def(Low)
  High,
}

export namespace Units { //@def(Units)
  export const hertz = 1; //@def(hertz)
}

function lonely() {} //@def(lonely)
