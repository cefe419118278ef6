export function Panel(props: { title: string }) { //@def(Panel)
  return null;
}
export const view = <Panel title="é📡" />; //@use(Panel)
