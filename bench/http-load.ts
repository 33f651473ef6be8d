import autocannon from 'autocannon';

/** One request and what makes its answer a failure. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** True for a body that is no answer though the status is right. */
  readonly isFailure?: (body: string) => boolean;
}

export interface LoadFigures {
  /** Milliseconds a request, in the order of the answers. */
  readonly samples: readonly number[];
  readonly seconds: number;
  /** Wrong statuses, error answers, broken connections and time-outs. */
  readonly errors: number;
  readonly firstError: string | null;
}

/**
 * Sends the requests in a closed loop: each connection sends its next one when it has its answer, beginning at
 * another place of the list.
 *
 * @param amount requests of all connections together
 */
export async function load(
  url: string,
  requests: readonly LoadRequest[],
  connections: number,
  amount: number,
): Promise<LoadFigures> {
  const samples: number[] = [];
  let errors = 0;
  let firstError: string | null = null;
  const fail = (what: string) => {
    errors += 1;
    firstError ??= what;
  };
  let made = 0;
  const listed = requests.map(
    ({ method, path, headers, body, status, isFailure }): autocannon.Request => ({
      method,
      path,
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
      onResponse: (got, text) => {
        if (got !== status || isFailure?.(text) === true) fail(`${got} ${text.slice(0, 300)}`);
      },
    }),
  );
  const from = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections,
        amount,
        timeout: 30,
        requests: listed,
        setupClient: (client) => {
          const start = Math.floor((made++ * listed.length) / connections);
          client.setRequests([...listed.slice(start), ...listed.slice(0, start)].map((one) => ({ ...one })));
        },
      },
      (error: Error | null, finished) => (error === null ? resolve(finished) : reject(error)),
    );
    run.on('response', (_client, _status, _bytes, ms) => samples.push(ms));
    run.on('reqError', (error: Error) => fail(error.message));
  });
  errors += result.timeouts;
  return { samples, seconds: (performance.now() - from) / 1000, errors, firstError };
}
