def whole():
    return "📡é", undefined_name  #@wrong()
