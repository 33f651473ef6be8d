"""Reads a vault with the Python client of MCP, twice: the caller restarts the server in between.

Usage: python-client.py URL MODE, with MODE one of: auto, legacy, session (legacy, and able to answer questions).
The key is in the environment variable GROVE_KEY. Writes a line of JSON, waits for a line, and writes another.
"""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult


async def decline(_context, _params):
    return ElicitResult(action="decline")


async def list_all(client):
    pages, cursor = [], None
    while True:
        answer = await client.list_resources(cursor=cursor)
        pages.append([str(resource.uri) for resource in answer.resources])
        cursor = answer.next_cursor
        if cursor is None:
            return pages


async def call(client, tool, **arguments):
    return (await client.call_tool(tool, arguments)).structured_content


async def main(url, mode):
    headers = {"Authorization": f"Bearer {os.environ['GROVE_KEY']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        client = Client(
            streamable_http_client(url, http_client=http),
            mode="auto" if mode == "auto" else "legacy",
            elicitation_callback=decline if mode == "session" else None,
        )
        async with client:
            note = await client.read_resource("vault://note/Compost.md")
            before = {
                "protocol": client.protocol_version,
                "tools": [tool.name for tool in (await client.list_tools()).tools],
                "query": await call(client, "query", query="compost"),
                "get": await call(client, "get", path="Heap"),
                "resource": note.contents[0].text,
                "pages": await list_all(client),
            }
            print(json.dumps(before), flush=True)
            await asyncio.to_thread(sys.stdin.readline)
            after = {"query": await call(client, "query", query="compost")}
            print(json.dumps(after), flush=True)


asyncio.run(main(*sys.argv[1:]))
