package radio

// Bank is many receivers.
type Bank []Receiver //@use(Receiver)

// Detect finds a signal with any of them.
func (b Bank) Detect(n int) bool { //@def(Bank.Detect)
	for i := range b {
		if b[i].Detect(n) { //@use(Receiver.Detect), use(Detector.Detect)
			return true
		}
	}
	return peak(n) > 1 //@use(peak)
}
