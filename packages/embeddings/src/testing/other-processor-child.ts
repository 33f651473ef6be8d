// The process of the local model on a processor that the runtime has no build for.
Object.defineProperty(process, 'platform', { value: 'linux' });
Object.defineProperty(process, 'arch', { value: 'riscv64' });
await import('../local/process/embedding-child.ts');
