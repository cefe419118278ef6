export interface Signal { //@def(Signal)
  power(): number; //@def(Signal.power), name("Signal#power"), many("power")
}

export class Loud implements Signal { //@def(Loud), use(Signal), impl(Signal)
  power(): number { return 2; } //@def(Loud.power), impl(Signal.power), name("Loud::power"), name("Loud#power"), many("power")
}

export function listen(signal: Signal): number { //@def(listen), use(Signal), hover(listen, "listen")
  const icon = "📡 é"; return icon.length + signal.power(); //@use(Signal.power), calls(listen, Signal.power), snap(14, icon)
}

/** The carrier wave. */
export function carrier(): number { //@def(carrier), rename(carrier, wave), hover(carrier, "The carrier wave")
  return "📡".length + listen(new Loud()); //@use(listen), use(Loud), calls(carrier, listen), calls(carrier, Loud)
}
