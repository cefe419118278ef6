def stubbed(n: int) -> int: ...  #@decl(stubbed)
