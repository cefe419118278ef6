from edge.plain import stubbed  #@use(stubbed)


def ask():  #@def(ask)
    return stubbed(1)  #@use(stubbed), calls(ask, stubbed)
