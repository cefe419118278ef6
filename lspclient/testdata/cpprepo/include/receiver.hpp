#pragma once
#include "peak.h"

#define TWICE(x) ((x) * 2)

namespace radio { //@def(radio)

// Detector finds a signal.
class Detector { //@def(Detector)
 public:
  virtual ~Detector() = default; //@use(Detector)
  virtual bool detect(int n) = 0;
};

class Receiver : public Detector { //@def(Receiver), use(Detector)
 public:
  bool detect(int n) override;
  int seen = 0; //@def(seen)
};

template <typename T>
T larger(T a, T b) { return a < b ? b : a; } //@def(larger)

void lonely(); //@def(lonely)

}  // namespace radio
