import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';
import { legacy, RawMcp } from '../testing/raw-mcp.ts';

let garden: ServedGarden;
let url: string;
beforeAll(async () => {
  garden = await serveGarden();
  url = await garden.listen();
});
afterAll(() => garden.close());

it.each(['notes', 'search'])('every tool of profile %s carries every hint, with a title', async (profile) => {
  const mcp = new RawMcp(`${url}/mcp?profile=${profile}`, garden.key());
  const { tools } = await mcp.result(legacy('tools/list'));
  expect(tools.length).toBeGreaterThan(1);
  for (const { title, annotations } of tools)
    expect(annotations).toEqual({
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
});

it('a profile that is not there is refused by name, in the form of the protocol', async () => {
  const answer = await new RawMcp(`${url}/mcp?profile=chat`, garden.key()).send(legacy('tools/list'));
  expect(answer).toMatchObject({
    status: 422,
    messages: [{ error: { code: -32_602, data: { code: 'bad_input' } } }],
  });
});
