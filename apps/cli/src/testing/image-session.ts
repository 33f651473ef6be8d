import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

// node image-session.ts URL KEY: what scripts/check-image.sh asks of a running image as an MCP client does. It waits for a
// line on stdin with the session open, and ends well when the server has ended it.

const NOTE = 'Inbox/From a container.md';
const [url = '', key = ''] = process.argv.slice(2);

const client = new Client({ name: 'image-check', version: '1' });
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  }),
);
const { tools } = await client.listTools();
await call('write_note', {
  path: NOTE,
  action: 'write',
  content: '# From a container\n\nThe kettle sings at dawn.\n',
});
const read = await call('get', { path: 'from a container' });
if (!JSON.stringify(read.content).includes('The kettle sings'))
  throw new Error('What was written is not read.');
await untilMeant('boiling water early in the morning');
console.log(`${tools.length} tools of an MCP client: a note written, read, and found by what it means`);
await client.close();

async function call(name: string, input: Record<string, unknown>) {
  const answer = await client.callTool({ name, arguments: input });
  if (answer.isError === true) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
  return answer;
}

/** Asks until the note, of whose words the question has none, is found: it is embedded soon after it is written. */
async function untilMeant(query: string): Promise<void> {
  for (;;) {
    const { structuredContent } = await call('query', { query });
    if (JSON.stringify(structuredContent).includes(NOTE)) return;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
