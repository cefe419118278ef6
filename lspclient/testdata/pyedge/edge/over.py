from typing import overload, Union


@overload
def tune(value: int) -> int: ...  #@name("tune[0]")
@overload
def tune(value: str) -> str: ...  #@name("edge.over.tune[1]")
def tune(value: Union[int, str]) -> Union[int, str]:  #@name("tune[2]"), name("tune")
	return value


class Outer:  #@def(Outer)
	class Inner:  #@def(Outer.Inner), name("Outer/Inner")
		class Deep:  #@def(Outer.Inner.Deep), name("Inner.Deep")
			def reach(self):  #@def(Outer.Inner.Deep.reach), name("Outer::Inner::Deep::reach"), name("Deep#reach"), hover(Outer.Inner.Deep.reach, "reach")
				return [tune(1), tune("📡"), self.reach]  #@calls(Outer.Inner.Deep.reach, *), use(Outer.Inner.Deep.reach)

	class Other:  #@def(Outer.Other)
		def reach(self):  #@def(Outer.Other.reach), name("edge.over.Outer.Other.reach")
			return Outer.Inner.Deep().reach()  #@use(Outer), use(Outer.Inner), use(Outer.Inner.Deep), use(Outer.Inner.Deep.reach), calls(Outer.Other.reach, Outer.Inner.Deep.reach), calls(Outer.Other.reach, Outer.Inner.Deep)


def größe(länge):  #@def(größe), name("over.größe"), rename(größe, weite)
	return "📡", länge


def messen():  #@def(messen)
	return "📡é", größe(3)  #@use(größe), calls(messen, größe), snap(0, größe), snap(12, größe)
