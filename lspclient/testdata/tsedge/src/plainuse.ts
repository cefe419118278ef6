import { stubbed } from "./plain.js"; //@use(stubbed)

export function ask(): number { //@def(ask)
  return stubbed(1); //@use(stubbed), calls(ask, stubbed)
}
