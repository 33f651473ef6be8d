import { GroveError, isGroveError } from '@grove/core';
import { type OpenedVault, type Principal, type Scope, toErrorPayload } from '@grove/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { recordStep } from '../../audit/record-step.ts';
import type { AppOptions } from '../../http/options.ts';
import { type Html, html } from '../../pages/html.ts';
import { sendPage } from '../../pages/page.ts';
import { parseForm } from '../../pages/parse-form.ts';
import { reportFault } from '../../report-fault.ts';
import type { OwnerSignIn } from '../sign-in/owner-sign-in.ts';
import type { OwnerSession } from '../sign-in/sessions.ts';
import { layout, type Section, type SectionPage } from './layout.ts';
import { type Notice, Notices } from './notices.ts';
import { goTo, OWNER_ROUTE, ownerFormToken, requireOwnerForm } from './owner-route.ts';

export interface DeskOptions extends AppOptions {
  readonly signIn: OwnerSignIn;
}

/** The owner, at a page of one vault. */
export interface Visit {
  readonly request: FastifyRequest;
  readonly opened: OpenedVault;
  /** The owner's. */
  readonly scope: Scope;
  /** The hidden field that every form needs. */
  readonly form: Html;
  /** The address of the vault's pages, without a trailing slash. */
  readonly at: string;
  /** What was typed into the form that failed just now, by its fields. */
  readonly sent: Readonly<Record<string, string>>;
}

/** A form that the owner sends. */
export interface Deed<Sent> {
  /** Below the address of the vault. */
  readonly path: string;
  /** What the audit calls it. */
  readonly tool: string;
  /** The page that shows what came of it. */
  readonly section: Section;
  readonly fields: z.ZodType<Sent>;
  /** Does it, and says what came of it: what is thrown is told there too. */
  readonly run: (visit: Visit, sent: Sent) => Promise<Html> | Html;
}

const OWNER: Principal = { kind: 'owner', id: 'owner', name: 'owner', client: "owner's page" };
const token = z.object({ form: z.string().max(200).default('') });

/** What all pages of the owner's stand on: the session is asked for, and forms are taken from those pages alone. */
export class OwnerDesk {
  readonly options: DeskOptions;
  readonly #notices = new Notices();
  readonly #vaults: ReadonlyMap<string, OpenedVault>;

  constructor(options: DeskOptions) {
    this.options = options;
    this.#vaults = new Map(options.vaults.map((vault) => [vault.slug, vault]));
  }

  /** The address of a page. */
  pathOf(vault: string, section: Section): string {
    return `/owner/vaults/${encodeURIComponent(vault)}/${section}`;
  }

  /** `/owner` itself, which leads to the first vault; it names that to nobody who is not signed in. */
  entrance(app: FastifyInstance): void {
    app.get('/owner', OWNER_ROUTE, async (request, reply) => {
      const [first] = this.#vaults.keys();
      if (first === undefined || this.options.signIn.sessions.of(request) === null)
        return toSignIn(reply, '/owner');
      return goTo(reply, this.pathOf(first, 'activity'));
    });
  }

  /**
   * A page. Who is not signed in is sent to sign in, and comes back.
   *
   * @param path below the address of the section
   */
  page(
    app: FastifyInstance,
    section: Section,
    path: string,
    make: (visit: Visit) => Promise<SectionPage> | SectionPage,
  ): void {
    app.get(`/owner/vaults/:vault/${section}${path}`, OWNER_ROUTE, async (request, reply) => {
      const { refresh } = request.query as { readonly refresh?: string };
      const session = this.options.signIn.sessions.of(request, refresh === undefined);
      if (session === null) return toSignIn(reply, request.url);
      const visit = this.#visit(request, session);
      const page = await make(visit);
      return sendPage(
        reply,
        layout(page, {
          section,
          vault: visit.opened.slug,
          vaults: [...this.#vaults.keys()],
          pathOf: (vault, name) => this.pathOf(vault, name),
          form: visit.form,
          notice: this.#notices.take(session),
        }),
      );
    });
  }

  /** A form, which is answered by the page that shows what came of it. */
  deed<Sent>(app: FastifyInstance, { path, tool, section, fields, run }: Deed<Sent>): void {
    app.post(`/owner/vaults/:vault/${path}`, OWNER_ROUTE, async (request, reply) => {
      const session = this.options.signIn.sessions.of(request);
      if (session === null) return toSignIn(reply, '/owner');
      requireOwnerForm(this.options.control, session, parseForm(token, request.body).form);
      const visit = this.#visit(request, session);
      const begun = performance.now();
      let outcome = 'internal';
      let sent: Sent | null = null;
      try {
        sent = parseForm(fields, request.body);
        const body = await run(visit, sent);
        outcome = 'ok';
        this.#notices.leave(session, { kind: 'done', body });
      } catch (error) {
        if (!isGroveError(error)) throw error;
        outcome = error.code;
        this.#notices.leave(session, { ...failureOf(error, request), sent: textsOf(sent) });
      } finally {
        const ms = performance.now() - begun;
        const { slug: vault } = visit.opened;
        recordStep(this.options, request, { tool, via: 'owner', vault, ms, outcome, address: null });
      }
      return goTo(reply, this.pathOf(visit.opened.slug, section));
    });
  }

  #visit(request: FastifyRequest, session: OwnerSession): Visit {
    const { vault } = request.params as { readonly vault: string };
    const opened = this.#vaults.get(vault);
    if (opened === undefined)
      throw new GroveError('route_unknown', { method: request.method, path: '/owner/vaults/…' });
    return {
      request,
      opened,
      scope: opened.scope(OWNER, undefined, { scopes: ['write'] }),
      form: html`<input type="hidden" name="form" value="${ownerFormToken(this.options.control, session)}">`,
      at: `/owner/vaults/${encodeURIComponent(opened.slug)}`,
      sent: this.#notices.sent(session),
    };
  }
}

function toSignIn(reply: FastifyReply, next: string): FastifyReply {
  const query = new URLSearchParams({ next });
  return goTo(reply, `/owner/sign-in?${query}`);
}

function textsOf(sent: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sent ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function failureOf(error: GroveError, request: FastifyRequest): Notice {
  const { message, next } = toErrorPayload(error, reportFault(request.log, 'a form of the owner failed'));
  return { kind: 'failed', body: html`<p>${message}</p><p>${next}</p>` };
}
