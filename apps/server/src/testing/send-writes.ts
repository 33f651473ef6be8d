import { openApiDocument } from '../openapi/document.ts';
import { DescribedAnswers } from '../openapi/testing/described-answers.ts';
import type { Ask } from './ask.ts';

type Method = 'PUT' | 'PATCH' | 'POST' | 'DELETE';

/** Sends a write, with another caller's `by` where that is given. Throws where the description lacks the answer. */
export type SendWrite = (
  method: Method,
  url: string,
  payload: string | Buffer | object | undefined,
  headers?: Readonly<Record<string, string>>,
  by?: Ask,
) => ReturnType<Ask>;

/** Writes of one caller whose answers are judged by the description. */
export function sendWrites(ask: Ask): SendWrite {
  const described = new DescribedAnswers(openApiDocument('0.0.0-test'));
  return async (method, url, payload, headers = {}, by = ask) => {
    const answer = await by(url, { method, headers, ...(payload === undefined ? {} : { payload }) });
    const [type = ''] = String(answer.headers['content-type'] ?? '').split(';');
    const body = type.endsWith('json') ? answer.json() : answer.payload;
    const status = answer.statusCode;
    const errors = described.answerErrors(pathOf(method, url), method.toLowerCase(), status, type, body);
    if (errors !== null) throw new Error(`${method} ${url}: ${errors}: ${answer.payload.slice(0, 300)}`);
    return answer;
  };
}

function pathOf(method: Method, url: string): string {
  const [address = ''] = url.split('?', 1);
  if (address === '/v1/batch') return address;
  return method === 'POST' && address.endsWith('/append') ? '/v1/notes/{path}/append' : '/v1/notes/{path}';
}
