import type { CallToolResult, ContentBlock, McpServer } from '@modelcontextprotocol/server';
import { PNG, WAV } from './media.ts';

const IMAGE: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };

/** What each tool without arguments answers, by its name. */
const ANSWERS: Readonly<Record<string, readonly ContentBlock[]>> = {
  test_simple_text: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  test_image_content: [IMAGE],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
  test_multiple_content_types: [
    { type: 'text', text: 'Multiple content types test:' },
    IMAGE,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      },
    },
  ],
};

/** Tools that answer with one kind of content each, or with several. */
export function registerContentTools(server: McpServer): void {
  for (const [name, content] of Object.entries(ANSWERS))
    server.registerTool(
      name,
      { description: `Answers with ${content.map(({ type }) => type).join(', ')}` },
      (): CallToolResult => ({ content: [...content] }),
    );
}
