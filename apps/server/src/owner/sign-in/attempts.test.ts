import { describe, expect, it } from 'vitest';
import { Attempts } from './attempts.ts';

const at = (address: string, device: string | null = null) => ({ address, device });
const LIMITED = expect.objectContaining({
  code: 'sign_in_limited',
  data: { seconds: expect.any(Number) },
});

describe('attempts', () => {
  it('of one address are five', async () => {
    const attempts = new Attempts();
    for (let count = 0; count < 5; count += 1) await attempts.begin(at('192.0.2.1'));
    await expect(attempts.begin(at('192.0.2.1'))).rejects.toEqual(LIMITED);
    await attempts.begin(at('192.0.2.2'));
  });

  it('of all addresses together are six a minute, of which those that are refused before are none', async () => {
    const attempts = new Attempts();
    for (let count = 0; count < 5; count += 1) await attempts.begin(at('192.0.2.1'));
    for (let count = 0; count < 5; count += 1)
      await expect(attempts.begin(at('192.0.2.1'))).rejects.toEqual(LIMITED);
    await attempts.begin(at('192.0.2.2'));
    const [refusal] = await Promise.allSettled([attempts.begin(at('192.0.2.3'))]);
    expect(refusal).toMatchObject({ status: 'rejected', reason: LIMITED });
    // A minute at the most: whoever has many addresses keeps nobody out for long.
    expect((refusal as PromiseRejectedResult).reason.data.seconds).toBeLessThanOrEqual(60);
  });

  it('of a browser that the owner used are its own', async () => {
    const attempts = new Attempts();
    for (let address = 1; address <= 6; address += 1) await attempts.begin(at(`192.0.2.${address}`));
    for (let count = 0; count < 10; count += 1) await attempts.begin(at('192.0.2.9', 'phone'));
    await expect(attempts.begin(at('192.0.2.9', 'phone'))).rejects.toEqual(LIMITED);
    await attempts.begin(at('192.0.2.9', 'laptop'));
  });

  it('count at once, whatever is still being looked at', async () => {
    const attempts = new Attempts();
    const begun = await Promise.allSettled(Array.from({ length: 50 }, () => attempts.begin(at('192.0.2.1'))));
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  it('that were right do not count', async () => {
    const attempts = new Attempts();
    for (let count = 0; count < 20; count += 1) {
      await attempts.begin(at('192.0.2.1'));
      await attempts.succeed(at('192.0.2.1'));
    }
    await attempts.begin(at('192.0.2.1'));
  });
});
