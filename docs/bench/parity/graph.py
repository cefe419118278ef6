"""Writes LocAgent's graph of a repository as JSON, for "parity graph".

    python graph.py CHECKOUT REPOSITORY OUT.json [--global-import]

CHECKOUT is a folder with LocAgent's sources; its graph builder needs networkx and matplotlib. Nothing of it is changed. OUT.json is
{"nodes": {id: kind}, "edges": [[from, kind, to]]}, both in order.
"""

import argparse
import json
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout")
    parser.add_argument("repository")
    parser.add_argument("out")
    parser.add_argument("--global-import", action="store_true", help="look for what is imported in all files")
    args = parser.parse_args()
    sys.path.insert(0, args.checkout)
    from dependency_graph.build_graph import build_graph

    graph = build_graph(args.repository, global_import=args.global_import)
    nodes = {name: data.get("type", "") for name, data in sorted(graph.nodes(data=True))}
    edges = sorted({(a, data.get("type", ""), b) for a, b, data in graph.edges(data=True)})
    with open(args.out, "w", encoding="utf-8") as out:
        json.dump({"nodes": nodes, "edges": edges}, out, indent=0)
    print(f"{len(nodes)} entities, {len(edges)} edges")


if __name__ == "__main__":
    main()
