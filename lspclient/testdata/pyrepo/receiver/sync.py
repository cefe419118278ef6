def correlate(samples, n):  #@def(correlate)
    return sum(samples) * n


def detect_pss(samples):  #@def(detect_pss)
    label = "é📡"; return max(correlate(samples, n) for n in range(3)), label  #@use(correlate)


class Receiver:  #@def(Receiver)
    def __init__(self, samples):
        self.samples = samples

    def detect(self):  #@def(Receiver.detect)
        return detect_pss(self.samples)  #@use(detect_pss)


class Bank(Receiver):  #@use(Receiver), def(Bank)
    def detect(self):  #@def(Bank.detect)
        return super().detect()  #@use(Receiver.detect)


def lonely():  #@def(lonely)
    pass
