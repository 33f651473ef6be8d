import type { CallToolResult } from '@modelcontextprotocol/server';

/** A tool's answer of one text. */
export function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}
