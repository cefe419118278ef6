class Signal:  #@def(Signal)
    def power(self) -> int:  #@def(Signal.power), hover(Signal.power, "power"), name("Signal#power"), name("edge.wire.Signal.power"), many("power")
        return 1


class Loud(Signal):  #@def(Loud), use(Signal), impl(Signal)
    def power(self) -> int:  #@def(Loud.power), impl(Signal.power), name("Loud::power"), many("power")
        return 2


def listen(signal: Signal):  #@def(listen), use(Signal)
    icon = "📡 é"; return signal.power()  #@use(Signal.power), calls(listen, Signal.power), snap(12, icon)


def carrier():  #@def(carrier), hover(carrier, "carrier"), rename(carrier, wave)
    """The carrier wave."""
    return "📡", listen(Signal())  #@use(listen), use(Signal), calls(carrier, listen), calls(carrier, Signal)
