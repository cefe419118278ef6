"""Calls a server with the official client. Arguments: the mode of connecting, then an address, or a program with its arguments."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp_types import PromptReference, ResourceTemplateReference


async def main(mode, target):
    server = target[0] if target[0].startswith("http") else StdioServerParameters(command=target[0], args=target[1:], env={"FINDSPOT_TEST_SERVER": "1"})
    logged, told = [], []

    async def log(params):
        logged.append(params.level)

    async def progress(done, total, message):
        told.append(done)

    async with Client(server, mode=mode, logging_callback=log) as client:
        tools = (await client.list_tools()).tools
        found = await client.call_tool("search_internal", {"query": "primary synchronization signal"}, progress_callback=progress)
        wrong = await client.call_tool("search_internal", {"qery": "x"})
        resources = (await client.list_resources()).resources
        document = next(r for r in resources if str(r.uri).startswith("findspot://doc/"))
        text = (await client.read_resource(str(document.uri))).contents[0].text
        templates = (await client.list_resource_templates()).resource_templates
        completed = await client.complete(ResourceTemplateReference(type="ref/resource", uri="findspot://code/{+entity}"), {"name": "entity", "value": "receiver/pss.py:"})
        prompt = await client.get_prompt("who-calls", {"symbol": "detect_pss"})
        print(json.dumps({
            "version": client.protocol_version,
            "tools": [t.name for t in tools],
            "titles": [t.title for t in tools],
            "found": found.content[0].text,
            "structured": found.structured_content,
            "wrong": wrong.is_error,
            "document": text,
            "templates": [t.uri_template for t in templates],
            "completed": completed.completion.values,
            "prompt": prompt.messages[0].content.text,
        }))


asyncio.run(main(sys.argv[1], sys.argv[2:]))
