import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 240_000 });

const ROOT = new URL('../../../', import.meta.url).href;
const HERE = new URL('./', import.meta.url).href;

it('finds every module that any verb loads where Node finds it, as what Node takes it for', () => {
  const verbs = readdirSync(new URL('verbs', HERE)).filter((name) => /^[^.]+\.ts$/.test(name));
  const script = join(temporaryFolder('quick-resolve'), 'compare.mjs');
  writeFileSync(
    script,
    `import { registerHooks } from 'node:module';
     import { quickResolve } from ${JSON.stringify(`${HERE}quick-resolve.ts`)};
     const quick = quickResolve(${JSON.stringify(ROOT)});
     const [seen, others, left] = [new Set(), [], new Set()];
     registerHooks({
       resolve(specifier, context, next) {
         let asked = false;
         const found = quick(specifier, context, (...given) => {
           asked = true;
           return next(...given);
         });
         const wanted = next(specifier, context);
         seen.add(wanted.url);
         if (asked) left.add(wanted.url);
         if (found.url !== wanted.url || found.format !== wanted.format) others.push([specifier, wanted, found]);
         return wanted;
       },
     });
     for (const verb of ${JSON.stringify(verbs)}) await import(${JSON.stringify(`${HERE}verbs/`)} + verb);
     await import(${JSON.stringify(`${HERE}serving/serve-session.ts`)});
     const own = (urls) => [...urls].filter((url) => !url.includes('node_modules/') && url.endsWith('.ts')).length;
     console.log(JSON.stringify({ others, own: own(seen), left: own(left) }));
     process.exit();`,
  );
  const told = execFileSync(process.execPath, [script], { encoding: 'utf8' });
  const { others, own, left } = JSON.parse(told);
  expect(others).toEqual([]);
  expect(own).toBeGreaterThan(700);
  // Entries of packages, once for each package that imports them.
  expect(left).toBeLessThan(own / 10);
});
