import { describe, expect, it } from 'vitest';
import { clientConfigs, type StdioCommand } from './client-configs.ts';

const command = {
  name: 'grove',
  command: '/opt/my tools/bin/grove',
  args: ['stdio', '--vault', '/home/ann/Ann\'s [Notes], "all" of them'],
  env: {},
};
const limited = { ...command, env: { GROVE_DENY_PATHS: 'Private,Work stuff' } };

function textFor(client: string, ...servers: readonly StdioCommand[]): string {
  const found = clientConfigs(servers.length === 0 ? [command] : servers).find(({ clients }) =>
    clients.some(({ name }) => name === client),
  );
  return found?.text ?? '';
}

describe('clientConfigs', () => {
  it.each(['Claude Desktop', 'Cursor'])('%s: JSON that starts the command', (client) => {
    const { args, command: program } = command;
    expect(JSON.parse(textFor(client))).toEqual({ mcpServers: { grove: { command: program, args } } });
  });

  it('VS Code: servers with their type', () => {
    const { args, command: program } = command;
    expect(JSON.parse(textFor('VS Code'))).toEqual({
      servers: { grove: { type: 'stdio', command: program, args } },
    });
  });

  it('Claude Code: words that a shell takes as they are', () => {
    expect(textFor('Claude Code')).toBe(
      `claude mcp add --scope user grove -- '/opt/my tools/bin/grove' stdio --vault '/home/ann/Ann'\\''s [Notes], "all" of them'`,
    );
  });

  it('hands the limits of this terminal on to the client', () => {
    expect(JSON.parse(textFor('Cursor', limited)).mcpServers.grove.env).toEqual(limited.env);
    expect(textFor('Claude Code', limited)).toContain(`grove -e 'GROVE_DENY_PATHS=Private,Work stuff' -- `);
  });

  it('puts several vaults into one text each', () => {
    const other = { ...command, name: 'grove-work', args: ['stdio', '--vault', '/home/ann/Work'] };
    expect(Object.keys(JSON.parse(textFor('Cursor', command, other)).mcpServers)).toEqual([
      'grove',
      'grove-work',
    ]);
    expect(Object.keys(JSON.parse(textFor('VS Code', command, other)).servers)).toHaveLength(2);
    expect(textFor('Claude Code', command, other).split('\n')).toHaveLength(2);
  });
});
