import { summit, Receiver, Bank, Band, Units } from "./index.js"; //@use(peak), use(Receiver), use(Bank), use(Band), use(Units)
import Mast from "./receiver.js"; //@use(Antenna)

const text = "é📡" + summit(3); //@use(peak)
const rx = new Receiver(); //@use(Receiver)
const bank: Bank<Receiver> = new Bank(); //@use(Bank), use(Receiver)
new Mast(); //@use(Antenna)
rx.seen = Band.Low + Units.hertz; //@use(seen), use(Band), use(Low), use(Units), use(hertz)
console.log(text, bank);
