import { resultClass, type ToolResult } from "./result";

/** Markup for a list of results. */
export function resultList(results: ToolResult[]): string {
  return results.map((r) => `<p class="${resultClass(r)}">${escapeText(r.text)}</p>`).join("\n");
}

function escapeText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}
