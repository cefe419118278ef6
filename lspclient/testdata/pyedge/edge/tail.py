from edge.feed import page  #@use(page)
from edge.mark import first  #@use(first)
from edge.wire import carrier as hum, Loud  #@use(carrier), use(Loud)

tone = Loud()  #@def(tone), use(Loud), typed(tone=Loud)
print(tone)  #@use(tone)


def over_air():  #@def(over_air)
    page()  #@use(page), calls(over_air, page)
    hum()  #@use(carrier=hum), calls(over_air, carrier)
    return "📡" + first()  #@use(first), calls(over_air, first)