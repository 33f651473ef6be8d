import type { ErrorCode } from '@grove/core';
import type { RouteAccess } from '../plugins/auth.ts';

/** A JSON Schema, or a part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** One answer that went well, by media type; no media type for an answer without a body. */
export interface AnswerDescription {
  readonly description: string;
  /** Names of response headers that the components hold. */
  readonly headers?: readonly string[];
  readonly content?: Readonly<Record<string, ContentDescription>>;
}

interface ContentDescription {
  /** A schema, or the name of one of the components. */
  readonly schema: Json | string;
  readonly example?: unknown;
}

/** A method of an address as `openapi.yaml` describes it. */
export interface RouteDescription {
  readonly method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{name}` for what differs. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: RouteAccess;
  readonly parameters?: readonly Json[];
  readonly body?: {
    readonly schema: string;
    readonly examples: Readonly<Record<string, Json>>;
    /** Texts that are taken instead of JSON: an example of each, by media type. */
    readonly texts?: Readonly<Record<string, string>>;
  };
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Codes that the route itself answers with; those of every route are added. */
  readonly errors: readonly ErrorCode[];
  /** Errors come as JSON-RPC rather than as problem details. */
  readonly jsonRpc?: boolean;
}
