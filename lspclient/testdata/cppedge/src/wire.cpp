#include "wire.hpp"

namespace edge {

int listen(const Signal& signal) { //@def(listen), use(Signal), hover(listen, "listen")
  const char* icon = "📡 é"; return icon[0] + signal.power(); //@use(Signal.power), calls(listen, Signal.power), snap(3, icon)
}

int carrier() { //@def(carrier), rename(carrier, wave), hover(carrier, "The carrier wave")
  return sizeof("📡") + listen(Loud()); //@use(listen), use(Loud), calls(carrier, listen)
}

}  // namespace edge
