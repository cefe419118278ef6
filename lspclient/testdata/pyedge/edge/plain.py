def stubbed(n):  #@def(stubbed), rename(stubbed, covered)
    return n


def again():  #@def(again)
    return stubbed(2)  #@use(stubbed), calls(again, stubbed)
