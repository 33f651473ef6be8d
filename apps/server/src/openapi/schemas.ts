import { CATALOGUE } from '@grove/core';
import {
  conflictsOutput,
  get,
  listNotes,
  multiGet,
  query,
  settleOutput,
  settleParameters,
  syncOutput,
  vaultStatus,
  writeNote,
} from '@grove/service';
import { auditOutput } from '../routes/audit-contract.ts';
import { keyListOutput, keyOutput, newKeyOutput, newKeyParameters } from '../routes/key-contract.ts';
import {
  grantListOutput,
  grantOutput,
  inviteOutput,
  newTrailOutput,
  newTrailParameters,
  previewOutput,
  trailChangeParameters,
  trailDetailOutput,
  trailListOutput,
  trailOutput,
  trailTokenParameters,
  usageOutput,
} from '../routes/trail-contract.ts';
import { appendBody, batchBody, patchBody, putBody } from '../routes/write-parameters.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { bodySchema } from './parameters.ts';
import type { Json } from './route-description.ts';

/** Problem details with the codes that one answer can have. */
export function problemSchema(codes: readonly string[]): Json {
  return { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] };
}

/** The named schemas of the document. */
export function componentSchemas(): Readonly<Record<string, Json>> {
  return {
    QueryInput: bodySchema(query.parameters),
    QueryAnswer: jsonSchemaOf(query.output),
    MultiGetInput: bodySchema(multiGet.parameters),
    MultiGetAnswer: jsonSchemaOf(multiGet.output),
    Note: jsonSchemaOf(get.output),
    NoteList: jsonSchemaOf(listNotes.output),
    WriteAnswer: jsonSchemaOf(writeNote.output),
    NewNote: bodySchema(putBody),
    NoteChange: withShortEdits(bodySchema(patchBody)),
    Addition: bodySchema(appendBody),
    Batch: bodySchema(batchBody),
    Status: jsonSchemaOf(vaultStatus.output),
    NewKey: bodySchema(newKeyParameters),
    Key: jsonSchemaOf(keyOutput),
    KeyList: jsonSchemaOf(keyListOutput),
    KeyWithToken: jsonSchemaOf(newKeyOutput),
    NewTrail: bodySchema(newTrailParameters),
    TrailChange: bodySchema(trailChangeParameters),
    NewTrailToken: bodySchema(trailTokenParameters),
    Trail: jsonSchemaOf(trailOutput),
    TrailList: jsonSchemaOf(trailListOutput),
    TrailDetail: jsonSchemaOf(trailDetailOutput),
    TrailWithSecrets: jsonSchemaOf(newTrailOutput),
    TrailInvite: jsonSchemaOf(inviteOutput),
    TrailUsage: jsonSchemaOf(usageOutput),
    TrailPreview: jsonSchemaOf(previewOutput),
    Grant: jsonSchemaOf(grantOutput),
    GrantList: jsonSchemaOf(grantListOutput),
    SyncAnswer: jsonSchemaOf(syncOutput),
    SyncAccepted: { type: 'object', properties: { accepted: { type: 'boolean' } }, required: ['accepted'] },
    ConflictList: jsonSchemaOf(conflictsOutput),
    Settlement: bodySchema(settleParameters),
    SettleAnswer: jsonSchemaOf(settleOutput),
    AuditPage: jsonSchemaOf(auditOutput),
    Problem: problem(),
  };
}

/** An edit as it is sent: the schema comes from one that is read, in which every option has its value. */
function withShortEdits(schema: Json): Json {
  const properties = schema.properties as Readonly<Record<string, Json>>;
  const { items, ...edits } = properties.edits as Json & { readonly items: Json };
  return {
    ...schema,
    properties: { ...properties, edits: { ...edits, items: { ...items, required: ['find', 'replace'] } } },
  };
}

function problem(): Json {
  const text = { type: 'string' };
  return {
    type: 'object',
    description: 'Problem details (RFC 9457). The facts of the occurrence stand beside these members.',
    properties: {
      type: { ...text, description: 'Where the error is described.' },
      title: { ...text, description: 'The name of the status.' },
      status: { type: 'integer' },
      detail: { ...text, description: 'What happened.' },
      code: { ...text, description: 'Stable; what programs go by.', enum: Object.keys(CATALOGUE).sort() },
      hint: { ...text, description: 'One next step.' },
      request_id: { ...text, description: 'As in the header X-Request-Id, and in the log of the server.' },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'hint', 'request_id'],
  };
}
