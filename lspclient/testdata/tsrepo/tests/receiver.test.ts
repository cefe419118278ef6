import { Receiver } from "../src/receiver.js"; //@use(Receiver)
import { summit } from "../src/index.js"; //@use(peak)

new Receiver().detect(summit(1)); //@use(Receiver), use(peak)
