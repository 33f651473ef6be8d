// Programs that can use a vault, and what a person pastes into them.

export type { Client } from './client.ts';
export { type Connection, KEY_PLACEHOLDER, mcpUrl, type StdioCommand, serverName } from './connection.ts';
export type { InstallLink } from './install-links.ts';
export { CLIENTS, clientOf, MAIN_CLIENTS } from './known-clients.ts';
export { SIGN_IN_CLIENTS, type SignInClient } from './sign-in-clients.ts';
