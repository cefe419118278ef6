import { page } from "./feed.js"; //@use(page)
import { first } from "./mark.js"; //@use(first)
import { carrier as hum, Loud } from "./wire.js"; //@use(carrier), use(Loud)

const tone = new Loud(); //@def(tone), use(Loud), calls(*, Loud), typed(tone=Loud)

export function overAir(): unknown { //@def(overAir)
  page(); //@use(page), calls(overAir, page)
  hum(); //@use(carrier=hum), calls(overAir, carrier)
  return [tone, "📡" + first()]; //@use(tone), use(first), calls(overAir, first)
} // no end of line