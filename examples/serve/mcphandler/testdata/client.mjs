// Calls a server with the official client. Arguments: an address, or a program with its arguments. MCP_MODULES is the folder of the packages.
import { pathToFileURL } from "node:url";

const sdk = (name) => import(pathToFileURL(`${process.env.MCP_MODULES}/@modelcontextprotocol/sdk/dist/esm/client/${name}.js`));
const { Client } = await sdk("index");
const target = process.argv.slice(2);
let transport;
if (target[0].startsWith("http")) {
  const { StreamableHTTPClientTransport } = await sdk("streamableHttp");
  transport = new StreamableHTTPClientTransport(new URL(target[0]));
} else {
  const { StdioClientTransport } = await sdk("stdio");
  transport = new StdioClientTransport({ command: target[0], args: target.slice(1), env: { ...process.env, FINDSPOT_TEST_SERVER: "1" } });
}

const client = new Client({ name: "test", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
const found = await client.callTool({ name: "search_internal", arguments: { query: "primary synchronization signal" } }, undefined, { onprogress: () => {} });
const wrong = await client.callTool({ name: "search_internal", arguments: { qery: "x" } });
const { resources } = await client.listResources();
const document = resources.find((r) => r.uri.startsWith("findspot://doc/"));
const read = await client.readResource({ uri: document.uri });
const { resourceTemplates } = await client.listResourceTemplates();
const completed = await client.complete({ ref: { type: "ref/resource", uri: "findspot://code/{+entity}" }, argument: { name: "entity", value: "receiver/pss.py:" } });
const prompt = await client.getPrompt({ name: "who-calls", arguments: { symbol: "detect_pss" } });
await client.close();
console.log(JSON.stringify({
  version: transport.protocolVersion ?? "",
  tools: tools.map((t) => t.name),
  titles: tools.map((t) => t.title),
  found: found.content[0].text,
  structured: found.structuredContent,
  wrong: wrong.isError,
  document: read.contents[0].text,
  templates: resourceTemplates.map((t) => t.uriTemplate),
  completed: completed.completion.values,
  prompt: prompt.messages[0].content.text,
}));
