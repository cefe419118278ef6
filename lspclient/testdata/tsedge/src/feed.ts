export const note = "a b c"; // old// mac
export function page(): string { //@def(page), rename(page, sheet)
  return note;
}
export const pages = [page(), page()]; //@use(page), calls(*, page)
