import { describe, expect, it } from 'vitest';
import { clientConfigs } from './client-configs.ts';

const configs = clientConfigs({
  command: '/opt/my tools/bin/grove',
  args: ['stdio', '--vault', "/home/ann/Ann's Notes"],
});
const of = (client: string): string => configs.find((config) => config.client === client)?.text ?? '';

describe('clientConfigs', () => {
  it.each(['Claude Desktop', 'Cursor'])('%s: JSON that starts the command', (client) => {
    expect(JSON.parse(of(client)).mcpServers.grove).toEqual({
      command: '/opt/my tools/bin/grove',
      args: ['stdio', '--vault', "/home/ann/Ann's Notes"],
    });
  });

  it('VS Code: servers with their type', () => {
    expect(JSON.parse(of('VS Code')).servers.grove).toMatchObject({ type: 'stdio', args: expect.any(Array) });
  });

  it('Claude Code: words that a shell takes as they are', () => {
    expect(of('Claude Code')).toBe(
      `claude mcp add --scope user grove -- '/opt/my tools/bin/grove' stdio --vault '/home/ann/Ann'\\''s Notes'`,
    );
  });
});
