import { expect, it } from 'vitest';
import { isReadable } from './readable-address.ts';

it.each([
  ['http://notes.example.org', true],
  ['http://192.168.1.2:8420', true],
  ['http://localhost.example.org', true],
  ['http://127.example.org', true],
  ['https://notes.example.org', false],
  ['http://localhost:8420', false],
  ['http://127.0.0.2', false],
  ['http://[::1]:8420', false],
])('what is sent to %s can be read on its way: %s', (url, can) => {
  expect(isReadable(url)).toBe(can);
});
