// Package radio is a receiver that fits on a page.
package radio

// Detector finds a signal. A call of it counts for every type that has its methods.
type Detector interface { //@def(Detector)
	Detect(n int) bool //@def(Detector.Detect)
}

// Receiver counts samples.
type Receiver struct { //@def(Receiver)
	name string
	seen int
}

// Unused is used once, elsewhere.
const Unused = 1

// NewReceiver makes one.
func NewReceiver(name string) *Receiver { //@def(NewReceiver), use(Receiver)
	return &Receiver{name: name} //@use(Receiver)
}

// Detect finds a signal among n samples.
func (r *Receiver) Detect(n int) bool { //@def(Receiver.Detect), use(Receiver)
	r.seen += n
	return peak(r.seen) > 2 //@use(peak)
}

func peak(n int) int { return n / 2 } //@def(peak)

func lonely() {} //@def(lonely)
