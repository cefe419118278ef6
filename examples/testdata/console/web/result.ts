/** What the console sends to the page: the same fields as in Python. */
export interface ToolResult {
  ok: boolean;
  text: string;
}

/** The class of an element that shows a result. */
export function resultClass(result: ToolResult): string {
  return result.ok ? "result" : "result failed";
}
