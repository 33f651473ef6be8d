import type { Answer } from '@grove/service';
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult } from '@modelcontextprotocol/server';

/** An operation's answer as the contents of a resource: the text for people and models, the whole as JSON. */
export function answerContents(uri: URL, answer: Answer): ReadResourceResult {
  if (answer.error !== null)
    throw new ProtocolError(ProtocolErrorCode.InternalError, answer.error.message, answer.error);
  return {
    contents: [
      { uri: uri.href, mimeType: 'text/markdown', text: answer.text },
      { uri: uri.href, mimeType: 'application/json', text: JSON.stringify(answer.structured) },
    ],
  };
}
