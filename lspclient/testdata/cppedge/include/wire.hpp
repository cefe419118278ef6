#pragma once

namespace edge {

class Signal { //@def(Signal)
 public:
  virtual ~Signal() = default; //@use(Signal)
  virtual int power() const = 0; //@def(Signal.power), name("edge::Signal::power"), name("Signal#power"), many("power")
};

class Loud : public Signal { //@def(Loud), use(Signal), impl(Signal), name("edge/Loud")
 public:
  int power() const override { return 2; } //@def(Loud.power), impl(Signal.power), name("Loud::power"), many("power")
};

int listen(const Signal& signal); //@decl(listen), use(Signal)

/// The carrier wave.
int carrier(); //@decl(carrier)

}  // namespace edge
