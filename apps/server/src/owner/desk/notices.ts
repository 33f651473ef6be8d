import type { Html } from '../../pages/html.ts';
import type { OwnerSession } from '../sign-in/sessions.ts';

/** What came of a form, for the page that is loaded next. */
export interface Notice {
  readonly kind: 'done' | 'failed';
  readonly body: Html;
  /** What was typed into a form that failed, by its fields. */
  readonly sent?: Readonly<Record<string, string>>;
}

/** How long a page has to fetch it. */
const KEPT_MS = 5 * 60_000;

/** Notices that wait for the next page of a session. In memory alone: one may hold a token, which is nowhere kept. */
export class Notices {
  readonly #waiting = new Map<string, { readonly notice: Notice; readonly timer: NodeJS.Timeout }>();

  leave({ id }: OwnerSession, notice: Notice): void {
    this.#drop(id);
    const timer = setTimeout(() => this.#waiting.delete(id), KEPT_MS).unref();
    this.#waiting.set(id, { notice, timer });
  }

  /** What was typed into the form that failed last; nothing when it did not. */
  sent({ id }: OwnerSession): Readonly<Record<string, string>> {
    return this.#waiting.get(id)?.notice.sent ?? {};
  }

  /** The notice that waits, once; null when there is none. */
  take({ id }: OwnerSession): Notice | null {
    const notice = this.#waiting.get(id)?.notice ?? null;
    this.#drop(id);
    return notice;
  }

  #drop(id: string): void {
    clearTimeout(this.#waiting.get(id)?.timer);
    this.#waiting.delete(id);
  }
}
