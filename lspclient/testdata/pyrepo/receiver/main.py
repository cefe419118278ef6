from receiver import Receiver, detect_pss  #@use(Receiver), use(detect_pss)


def main():
    rx = Receiver([1, 2])  #@use(Receiver)
    print("é📡", rx.detect())  #@use(Receiver.detect)
    print(detect_pss([3]))  #@use(detect_pss)
