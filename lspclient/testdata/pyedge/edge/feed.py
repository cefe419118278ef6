NOTE = """a bc"""  # old# mac

def page():  #@def(page)
    return NOTE


PAGES = [page(), page()]  #@use(page), calls(*, page)
