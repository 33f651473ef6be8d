import { openLocalEmbedder, openOpenAiCompatible, openVoyage } from '@grove/embeddings';
import { expect, it } from 'vitest';
import { formerModels, type KnownSettings } from './former-models.ts';

const open = async (settings: KnownSettings) => {
  if (settings.kind === 'local') return await openLocalEmbedder();
  const { key, model, dimensions, url } = settings;
  if (settings.kind === 'voyage') return openVoyage({ key: key!, model: model!, dimensions: dimensions! });
  return openOpenAiCompatible({ baseUrl: url!, model: model!, dimensions: dimensions! });
};
const OLLAMA = { kind: 'openai', url: 'http://localhost:11434/v1', model: 'new', key: null } as const;
const SET: KnownSettings = { ...OLLAMA, dimensions: 64 };
const FORMER = { id: 'old/32', kind: 'openai', model: 'old', host: 'localhost:11434', dimensions: 32 };
const LOCAL = {
  id: 'bge-small-en-v1.5-int8/384',
  kind: 'local',
  model: 'bge-small-en-v1.5-int8',
  host: null,
  dimensions: 384,
};

it('opens another model of the server that is set up, and the local one beside any', async () => {
  const models = formerModels(SET, 'localhost:11434', open);
  expect(await models.reopen(FORMER)).toMatchObject({
    id: 'old/32',
    host: 'localhost:11434',
    dimensions: 32,
  });
  expect(await models.reopen(LOCAL)).toMatchObject({ id: LOCAL.id, host: null });
  await models.close();
});

it.each([
  ['another host', { ...FORMER, host: 'api.openai.com' }],
  ['another kind of service', { ...FORMER, kind: 'voyage' }],
  ['no host, though it is remote', { ...FORMER, host: null }],
  ['another form of asking', { ...FORMER, id: 'old/32/0a1b2c3d' }],
  ['another version of the local model', { ...LOCAL, id: 'bge-small-en-v2/384' }],
  ['a host for the local model', { ...LOCAL, host: 'api.openai.com' }],
])('opens no model of %s', async (_, record) => {
  const models = formerModels(SET, 'localhost:11434', open);
  expect(await models.reopen(record)).toBeNull();
  await models.close();
});

it('opens no remote model where the local one is set up', async () => {
  const models = formerModels({ kind: 'local' }, null, open);
  expect(await models.reopen(FORMER)).toBeNull();
  await models.close();
});

it('shares a model among vaults, and closes it when the last one gives it back', async () => {
  let closed = 0;
  const models = formerModels(SET, 'localhost:11434', async (settings) => {
    const embedder = await open(settings);
    const close = embedder.close.bind(embedder);
    return Object.assign(embedder, {
      close: async () => {
        closed += 1;
        await close();
      },
    });
  });
  const [first, second] = [await models.reopen(FORMER), await models.reopen(FORMER)];
  await first!.close();
  await first!.close();
  expect(closed).toBe(0);
  await second!.close();
  expect(closed).toBe(1);
  await models.close();
  expect(closed).toBe(1);
});
