/** A client that is let in by signing in, instead of by a key. */
export interface SignInClient {
  readonly id: string;
  readonly title: string;
  /** True for one that calls from its maker's machines: it reaches public https addresses alone. */
  readonly isRemote: boolean;
  /** What a person does, step by step; the last one leads to the page for signing in. */
  steps(mcpUrl: string): readonly string[];
  /** What is pasted where it is not the address alone. */
  paste?(mcpUrl: string, name: string): string;
}

/** https://claude.com/docs/connectors/custom/remote-mcp */
const claude: SignInClient = {
  id: 'claude',
  title: 'Claude (web, desktop and phone)',
  isRemote: true,
  steps: () => [
    'On claude.ai or in the desktop app: Settings > Connectors > Add custom connector.',
    'Give it a name, paste the address, and choose Add.',
    'Choose Connect, and sign in on the page that opens. Phones have the connector then, too.',
  ],
};

/** https://developers.openai.com/apps-sdk/deploy/connect-chatgpt */
const chatgpt: SignInClient = {
  id: 'chatgpt',
  title: 'ChatGPT',
  isRemote: true,
  steps: () => [
    'On chatgpt.com: Settings > Apps & Connectors > Advanced settings, and switch on the developer mode.',
    'Back in Apps & Connectors choose Create, give it a name, paste the address, and leave OAuth chosen.',
    'Choose Create, and sign in on the page that opens.',
  ],
};

/** https://code.claude.com/docs/en/mcp */
const claudeCode: SignInClient = {
  id: 'claude-code',
  title: 'Claude Code',
  isRemote: false,
  paste: (mcpUrl, name) => `claude mcp add --transport http --scope user ${name} ${mcpUrl}`,
  steps: () => [
    'Run this in a terminal.',
    'In a session type /mcp, choose the server and Authenticate, and sign in on the page that opens.',
  ],
};

/** https://cursor.com/docs/mcp */
const cursor: SignInClient = {
  id: 'cursor',
  title: 'Cursor',
  isRemote: false,
  paste: (mcpUrl, name) => JSON.stringify({ mcpServers: { [name]: { url: mcpUrl } } }, null, 2),
  steps: () => [
    'Put this into ~/.cursor/mcp.json.',
    'In the settings, under MCP, choose Connect at the server, and sign in on the page that opens.',
  ],
};

/** https://code.visualstudio.com/docs/copilot/customization/mcp-servers */
const vscode: SignInClient = {
  id: 'vscode',
  title: 'VS Code',
  isRemote: false,
  paste: (mcpUrl, name) => JSON.stringify({ servers: { [name]: { type: 'http', url: mcpUrl } } }, null, 2),
  steps: () => [
    'Run the command "MCP: Open User Configuration" and put this there.',
    'Choose Start above the server, allow it to sign in, and do so on the page that opens.',
  ],
};

/** Every client that is known to sign in. */
export const SIGN_IN_CLIENTS: readonly SignInClient[] = [claude, chatgpt, claudeCode, cursor, vscode];
