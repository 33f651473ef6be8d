import { afterAll, beforeAll, expect, vi } from 'vitest';

// Many files of tests run in one process, one after the other: what one leaves changed, the next would be judged by.
let folder: string;
let variables: NodeJS.ProcessEnv;
beforeAll(() => {
  folder = process.cwd();
  variables = { ...process.env };
});
afterAll(() => {
  expect(vi.isFakeTimers(), 'a clock of a test').toBe(false);
  expect(process.cwd(), 'the folder of the process').toBe(folder);
  // Their values may be secret. Those that libraries add when they are loaded may stay.
  const changed = Object.keys(variables).filter((name) => process.env[name] !== variables[name]);
  expect(changed, 'variables that were left changed').toEqual([]);
});
