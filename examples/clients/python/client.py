"""Asks a findspot server and adds documents to it: client.py URL ask QUESTION, or client.py URL add FILE...

Connect's JSON needs no more than the standard library: a request is a POST of JSON, and a stream is JSON behind five bytes, a flag and the length.
A token, where the server wants one, is taken from FINDSPOT_TOKEN.
"""
import base64, json, os, pathlib, struct, sys, urllib.request


def stream(url, method, message):
    body = json.dumps(message).encode()
    headers = {"Content-Type": "application/connect+json"}
    if token := os.environ.get("FINDSPOT_TOKEN"):
        headers["Authorization"] = "Bearer " + token
    request = urllib.request.Request(f"{url}/findspot.v1.Findspot/{method}", struct.pack(">BI", 0, len(body)) + body, headers)
    with urllib.request.urlopen(request) as answer:
        while head := answer.read(5):
            last, size = struct.unpack(">BI", head)
            event = json.loads(answer.read(size))
            if last & 2:  # the end of the stream, with an error if there was one
                if "error" in event:
                    sys.exit(f"{event['error']['code']}: {event['error'].get('message', '')}")
                return
            yield event


def ask(url, question):
    for event in stream(url, "Ask", {"question": question}):
        if piece := event.get("piece"):
            item, at = piece["item"], piece["item"]["at"]
            place = f"{at['name']} p. {at['page']}" if at["doc"] else f"{at['path']}:{at['line']}" if at["path"] else "verdict"
            print(f"[{item['key']}] {place}\n    {' '.join(item['text'].split())[:200]}")
        elif problem := event.get("problem"):
            print("problem:", problem, file=sys.stderr)


def add(url, files):
    for file in map(pathlib.Path, files):
        for event in stream(url, "AddDocument", {"name": file.name, "data": base64.b64encode(file.read_bytes()).decode()}):
            if progress := event.get("progress"):
                print(f"{progress['name']}: page {progress['page']} of {progress['pages']}", file=sys.stderr)
            elif document := event.get("document"):
                print(document["name"], document["change"], document["title"])


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[2] not in ("ask", "add"):
        sys.exit(__doc__)
    add(sys.argv[1], sys.argv[3:]) if sys.argv[2] == "add" else ask(sys.argv[1], " ".join(sys.argv[3:]))
