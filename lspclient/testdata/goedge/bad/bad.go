package bad

func whole() (string, int) {
	return "📡é", undefinedName //@wrong()
}
