package main

import (
	"fmt"

	"example.com/radio/radio"
)

func main() {
	rx := radio.NewReceiver("café 📡") //@use(NewReceiver)
	fmt.Println("é📡", rx.Detect(3))   //@use(Receiver.Detect), use(Detector.Detect)
	var d radio.Detector = rx         //@use(Detector)
	fmt.Println(d.Detect(4))          //@use(Detector.Detect), use(Receiver.Detect), use(Bank.Detect)
	fmt.Println(radio.Unused)
}
