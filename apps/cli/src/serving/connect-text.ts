import type { Client, Connection } from '@grove/server/clients';

/** How to connect these clients, for a person. */
export function connectText(clients: readonly Client[], connections: readonly Connection[]): string {
  return clients
    .map(({ title, where, aside, text }) => {
      const heading = [`${title} - ${where}:`, ...(aside === undefined ? [] : [aside])].join('\n');
      return `${heading}\n\n${indented(text(connections))}`;
    })
    .join('\n\n');
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : `    ${line}`))
    .join('\n');
}
