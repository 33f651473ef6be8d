import type { Json } from './route-description.ts';

/** Responses that several operations have, written once among the components. */
export class SharedResponses {
  /** By name: the status, and a number where it has several forms. */
  readonly components: Readonly<Record<string, Json>>;
  readonly #names = new Map<string, string>();

  /** @param all the responses of every operation, by status */
  constructor(all: readonly Readonly<Record<string, Json>>[]) {
    const uses = new Map<string, { readonly status: string; count: number }>();
    for (const [status, response] of all.flatMap(Object.entries)) {
      const text = JSON.stringify(response);
      const use = uses.get(text) ?? { status, count: 0 };
      use.count += 1;
      uses.set(text, use);
    }
    const components: Record<string, Json> = {};
    for (const [text, { status, count }] of uses) {
      if (count === 1) continue;
      const name = freeName(`Status${status}`, components);
      this.#names.set(text, name);
      components[name] = JSON.parse(text);
    }
    this.components = components;
  }

  /** The same responses, with references for those that are shared. */
  refer(responses: Readonly<Record<string, Json>>): Json {
    return Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const name = this.#names.get(JSON.stringify(response));
        return [status, name === undefined ? response : { $ref: `#/components/responses/${name}` }];
      }),
    );
  }
}

function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!(candidate in taken)) return candidate;
  }
}
