#include "receiver.hpp"

namespace radio { //@use(radio)

bool Receiver::detect(int n) { //@use(Receiver)
  seen += n; //@use(seen)
  return peak(seen) > 2; //@use(peak), use(seen)
}

}  // namespace radio
