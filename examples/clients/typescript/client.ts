// Asks a findspot server and adds documents to it: client.ts URL ask QUESTION, or client.ts URL add FILE...
//
// Connect's JSON needs no more than fetch: a request is a POST of JSON, and a stream is JSON behind five bytes, a flag and the length.
// A token, where the server wants one, is taken from FINDSPOT_TOKEN.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";

type Event = Record<string, any>;

async function* stream(url: string, method: string, message: object): AsyncGenerator<Event> {
  const body = new TextEncoder().encode(JSON.stringify(message));
  const envelope = new Uint8Array(5 + body.length);
  new DataView(envelope.buffer).setUint32(1, body.length);
  envelope.set(body, 5);
  const headers: Record<string, string> = { "Content-Type": "application/connect+json" };
  if (process.env.FINDSPOT_TOKEN) headers.Authorization = `Bearer ${process.env.FINDSPOT_TOKEN}`;
  const answer = await fetch(`${url}/findspot.v1.Findspot/${method}`, { method: "POST", headers, body: envelope });
  if (!answer.ok || !answer.body) throw new Error(`${answer.status}: ${await answer.text()}`);
  let have = new Uint8Array(0);
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    const more = new Uint8Array(have.length + chunk.length);
    more.set(have);
    more.set(chunk, have.length);
    have = more;
    while (have.length >= 5) {
      const size = new DataView(have.buffer, have.byteOffset).getUint32(1);
      if (have.length < 5 + size) break;
      const event: Event = JSON.parse(new TextDecoder().decode(have.subarray(5, 5 + size)));
      const last = (have[0] & 2) !== 0; // the end of the stream, with an error if there was one
      have = have.slice(5 + size);
      if (event.error) throw new Error(`${event.error.code}: ${event.error.message ?? ""}`);
      if (last) return;
      yield event;
    }
  }
}

async function main(url: string, command: string, args: string[]): Promise<void> {
  if (command === "ask") {
    for await (const { piece, problem } of stream(url, "Ask", { question: args.join(" ") })) {
      if (piece) {
        const { key, at, text } = piece.item;
        const place = at.doc ? `${at.name} p. ${at.page}` : at.path ? `${at.path}:${at.line}` : "verdict";
        console.log(`[${key}] ${place}\n    ${text.split(/\s+/).join(" ").trim().slice(0, 200)}`);
      } else if (problem) console.error("problem:", problem);
    }
    return;
  }
  for (const file of args) {
    const data = (await readFile(file)).toString("base64");
    for await (const { progress, document } of stream(url, "AddDocument", { name: basename(file), data })) {
      if (progress) console.error(`${progress.name}: page ${progress.page} of ${progress.pages}`);
      if (document) console.log(document.name, document.change, document.title);
    }
  }
}

const [url, command, ...args] = process.argv.slice(2);
if (!args.length || !["ask", "add"].includes(command)) {
  console.error("usage: client.ts URL ask QUESTION, or client.ts URL add FILE...");
  process.exit(2);
}
main(url, command, args).catch((err: Error) => {
  console.error(err.message);
  process.exit(1);
});
