// Connect's streams: each message is one byte of flags, four bytes of length (big endian) and that many bytes of JSON. The last one has
// flag 2 and says how the call ended. https://connectrpc.com/docs/protocol#streaming-rpcs

const COMPRESSED = 1;
const END = 2;
const MAX = 64 << 20; // bytes of one message; a longer one is a broken stream

/**
 * envelope packs one message for the body of a request.
 * @param {any} message
 * @returns {Uint8Array}
 */
export function envelope(message) {
  const body = new TextEncoder().encode(JSON.stringify(message));
  const packed = new Uint8Array(5 + body.length);
  new DataView(packed.buffer).setUint32(1, body.length);
  packed.set(body, 5);
  return packed;
}

/** Opener takes a stream's bytes in pieces of any size and gives its messages. */
export class Opener {
  #rest = new Uint8Array(0);

  /**
   * push takes the next bytes and returns the messages that are whole now.
   * @param {Uint8Array} chunk
   * @returns {{end: boolean, message: any}[]}
   */
  push(chunk) {
    let buf = chunk;
    if (this.#rest.length) {
      buf = new Uint8Array(this.#rest.length + chunk.length);
      buf.set(this.#rest);
      buf.set(chunk, this.#rest.length);
    }
    const out = [];
    let at = 0;
    while (buf.length - at >= 5) {
      const flags = buf[at];
      const size = new DataView(buf.buffer, buf.byteOffset + at + 1, 4).getUint32(0);
      if (flags & COMPRESSED) throw new Error('the stream is compressed, which was not asked for');
      if (size > MAX) throw new Error(`the stream has a message of ${size} bytes`);
      if (buf.length - at - 5 < size) break;
      const text = new TextDecoder().decode(buf.subarray(at + 5, at + 5 + size));
      out.push({ end: (flags & END) !== 0, message: JSON.parse(text || '{}') });
      at += 5 + size;
    }
    this.#rest = buf.slice(at);
    return out;
  }

  /** whole reports whether no message was cut off. */
  get whole() {
    return this.#rest.length === 0;
  }
}
