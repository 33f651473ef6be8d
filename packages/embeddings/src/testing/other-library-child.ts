// The same where the runtime's build cannot be loaded, as with another C library: here, that of another system.
Object.defineProperty(process, 'platform', { value: process.platform === 'darwin' ? 'linux' : 'darwin' });
Object.defineProperty(process, 'arch', { value: 'arm64' });
await import('../local/process/embedding-child.ts');
