/** A page as it came. */
export interface Visited {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
  /** Where it sends the browser on, when it does. */
  readonly location: string | null;
}

/** What goes with a request. */
export interface Visit {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string | Buffer;
}

/** A cookie as it was set. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** The whole header. */
  readonly line: string;
}

/** A browser of a few lines: it keeps cookies by their paths and sends forms. It follows redirects of one server alone. */
export class Browser {
  readonly #origin: string;
  /** By name and path. */
  readonly #cookies = new Map<string, Cookie>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  cookies(): readonly Cookie[] {
    return [...this.#cookies.values()];
  }

  /** One request, without following. */
  async ask(url: string, { headers = {}, method = 'GET', body }: Visit = {}): Promise<Visited> {
    const target = new URL(url, this.#origin);
    const cookie = this.#cookieFor(target.pathname);
    const answer = await fetch(target, {
      method,
      headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const { status } = answer;
    return {
      status,
      url: target.href,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location'),
    };
  }

  /** Goes to an address, and on while this server says where. */
  async visit(url: string, visit: Visit = {}): Promise<Visited> {
    let at = await this.ask(url, visit);
    for (let hops = 0; at.location !== null && hops < 10; hops += 1) {
      const next = new URL(at.location, at.url);
      if (next.origin !== this.#origin) return at;
      at = await this.ask(next.href);
    }
    return at;
  }

  /**
   * Sends a form of a page, as it stands there, with some fields filled in.
   *
   * @param action the end of the form's (or its button's) address
   */
  async submit(
    page: Visited,
    action: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Visited> {
    const { url, hidden } = formOf(page, action);
    return await this.visit(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: this.#origin },
      body: new URLSearchParams({ ...hidden, ...fields }).toString(),
    });
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/; */);
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? '/';
    const isOver = attributes.some((part) => /^expires=Thu, 01 Jan 1970|^max-age=0$/i.test(part));
    const key = `${name} ${path}`;
    if (isOver) this.#cookies.delete(key);
    else this.#cookies.set(key, { name, value: pair.slice(at + 1), path, line });
  }

  #cookieFor(pathname: string): string {
    return this.cookies()
      .filter(({ path }) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }
}

/** The form, or the form of the button, whose address ends so, with its hidden fields. */
export function formOf(page: Visited, action: string): { url: string; hidden: Record<string, string> } {
  for (const [, attributes = '', inside = ''] of page.text.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)) {
    const addresses = [...`${attributes}${inside}`.matchAll(/(?:form)?action="([^"]*)"/g)].map(
      ([, url = '']) => url,
    );
    const url = addresses.find((address) => address.endsWith(action));
    if (url === undefined) continue;
    const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
    return { url, hidden: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])) };
  }
  throw new Error(`No form goes to ${action}: ${page.status} ${page.text}`);
}
