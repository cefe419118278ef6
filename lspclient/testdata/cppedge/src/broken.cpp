int whole() {
  return sizeof("📡é") + undefined_name; //@wrong()
}
