import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../route-description.ts';

const ID = 'https://grove.example/openapi';

/** Judges bodies and answers by an OpenAPI document. */
export class DescribedAnswers {
  readonly #document: Json;
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
  });

  constructor(document: Json) {
    this.#document = document;
    this.#ajv.addSchema({ ...document, $id: ID }, undefined, undefined, false);
  }

  /** What does not fit in the JSON body of a request; null when all does. */
  bodyErrors(path: string, method: string, body: unknown): string | null {
    return this.#errors(
      ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'],
      body,
    );
  }

  /**
   * What does not fit in an answer: its status, its media type, its body.
   *
   * @param type the media type without parameters; `''` for an answer without a body
   * @param body parsed where it is JSON
   */
  answerErrors(path: string, method: string, status: number, type: string, body: unknown): string | null {
    const place = this.#resolve(['paths', path, method, 'responses', String(status)]);
    if (place === null) return `${method} ${path} has no answer ${status}`;
    const response = this.#at(place) as { readonly content?: Readonly<Record<string, unknown>> };
    if (type === '') return response.content === undefined ? null : `${status} has a body`;
    if (response.content?.[type] === undefined) return `${status} of ${method} ${path} is not of ${type}`;
    return this.#errors([...place, 'content', type, 'schema'], body);
  }

  #errors(place: readonly string[], value: unknown): string | null {
    const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = this.#ajv.getSchema(`${ID}#/${pointer.join('/')}`);
    if (validate === undefined) return `there is no schema at ${place.join(' ')}`;
    return validate(value) === true ? null : this.#ajv.errorsText(validate.errors);
  }

  /** Where a part of the document stands, behind its reference; null when there is none. */
  #resolve(place: readonly string[]): readonly string[] | null {
    const part = this.#at(place) as { readonly $ref?: string } | undefined;
    if (part === undefined) return null;
    return part.$ref === undefined ? place : part.$ref.slice(2).split('/');
  }

  #at(place: readonly string[]): unknown {
    return place.reduce<unknown>((part, name) => (part as Json | undefined)?.[name], this.#document);
  }
}
