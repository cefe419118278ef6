export { peak as summit } from "./peak.js"; //@use(peak)
export { Receiver, Bank, Band, Units } from "./receiver.js"; //@use(Receiver), use(Bank), use(Band), use(Units)
