// The process of the local model, which dies over a text that tells it to, and hangs over another.
process.on('message', (message: { readonly text: string }) => {
  if (message.text.includes('die now')) process.kill(process.pid, 'SIGSEGV');
  if (message.text.includes('hang now')) for (;;);
});
await import('../local/process/embedding-child.ts');
