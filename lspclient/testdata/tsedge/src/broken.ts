export function whole(): unknown {
  return ["📡é", undefinedName]; //@wrong()
}
