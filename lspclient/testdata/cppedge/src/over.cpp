#include "wire.hpp"

/* a bcd */ int tune(int value) { return value; } //@name("tune(int)"), name("tune[0]"), many("tune")
int tune(const char* value) { return value[0]; } //@name("tune(const char*)"), many("tune")

struct Outer { //@def(Outer)
	struct Inner { //@def(Outer.Inner), name("Outer::Inner"), name("Outer/Inner")
		int reach() { return tune(1) + tune("📡"); } //@def(Outer.Inner.reach), name("Outer::Inner::reach"), name("Inner#reach")
	};
	struct Other { //@def(Outer.Other)
		int reach() { return Inner().reach(); } //@def(Outer.Other.reach), use(Outer.Inner), use(Outer.Inner.reach), name("Outer::Other::reach"), calls(Outer.Other.reach, Outer.Inner.reach)
	};
};

int größe(int länge) { return länge; } //@def(größe), name("größe"), rename(größe, weite)

int messen() { //@def(messen)
	return sizeof("📡é") + größe(3); //@use(größe), calls(messen, größe), snap(0, größe), snap(17, größe)
}

static edge::Loud tone; //@def(tone), use(Loud), typed(tone=Loud)

int over_air() { //@def(over_air)
  return sizeof("📡") + edge::carrier() + edge::listen(tone); //@use(carrier), use(tone), use(listen), calls(over_air, carrier), calls(over_air, listen)
} // no end of line