from receiver.sync import correlate  #@use(correlate)


def test_correlate():
    assert correlate([1], 2) == 2  #@use(correlate)
