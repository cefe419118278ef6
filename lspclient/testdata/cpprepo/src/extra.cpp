// Not in the database.
#include "receiver.hpp"

int extra() { return radio::larger(peak(1), 2); } //@use(radio), use(larger), use(peak)
