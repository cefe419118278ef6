#include <cstdio>

#include "receiver.hpp"

int main() {
  radio::Receiver rx; //@use(radio), use(Receiver)
  radio::Detector& d = rx; //@use(radio), use(Detector)
  /* é📡 */ d.detect(TWICE(peak(3))); //@use(peak)
  return radio::larger(rx.seen, TWICE(rx.seen)); //@use(radio), use(larger), use(seen)
}
