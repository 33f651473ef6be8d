// The probe on a processor that the runtime has no build for.
Object.defineProperty(process, 'platform', { value: 'linux' });
Object.defineProperty(process, 'arch', { value: 'riscv64' });
await import('../local/probe/probe-child.ts');
