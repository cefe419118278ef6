#include "peak.h"

int peak(int n) { //@def(peak)
  return n / 2;
}
