import { auditParameters } from '../../routes/audit-contract.ts';
import { queryParameters } from '../parameters.ts';
import type { RouteDescription } from '../route-description.ts';

const ENTRY = {
  at: '2026-11-30T11:00:00.000Z',
  principal: { kind: 'trail', id: 'k_7Yx0bQ2mPz9w', name: 'Book club' },
  trail: 't_4Kd0wV8uQz1m',
  client: null,
  vault: 'garden',
  tool: 'query',
  via: 'mcp',
  ms: 4.2,
  found: 3,
  withheld: 1,
  outcome: 'ok',
  address: null,
  request_id: '4f1c2a9be07d',
};

/** `/v1/audit` */
export const auditDescriptions: readonly RouteDescription[] = [
  {
    method: 'get',
    path: '/v1/audit',
    operationId: 'listAudit',
    tag: 'Keys',
    summary: 'See who called what',
    description:
      'The calls of the vault, newest first, with counts and outcomes. It holds no text of notes, no queries and no tokens.',
    access: 'admin',
    parameters: queryParameters(auditParameters),
    answers: {
      200: {
        description: 'A page of entries.',
        headers: ['Cache-Control'],
        content: {
          'application/json': { schema: 'AuditPage', example: { entries: [ENTRY], cursor: '4711' } },
        },
      },
    },
    errors: [
      'not_acceptable',
      'bad_url',
      'unknown_parameter',
      'bad_input',
      'bad_cursor',
      'key_limited',
      'control_damaged',
      'control_newer',
    ],
  },
];
