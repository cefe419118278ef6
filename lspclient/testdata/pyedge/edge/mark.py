def first(): return "📡"  #@def(first), rename(first, initial)
def second(): return first()  #@def(second), use(first), calls(second, first)
