import type { z } from 'zod'
import type { Access } from './accounts/access.ts'
import type { ErrorParams } from './errors/error-text.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * One call of the console API: everything that both sides and the OpenAPI document need to know.
 * Paths are written with a trailing slash where the clients do; the server accepts both forms.
 * Parameters in the path are written `:id`.
 */
export interface Endpoint<
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Data extends z.ZodType | undefined = z.ZodType | undefined,
  A extends Access = Access,
> {
  readonly method: Method
  readonly path: `/api/${string}`
  readonly access: A
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** The schema of `data` in the envelope. */
  readonly data?: Data
  /** Fields beside `data` in the envelope, e.g. `time` of a channel test. */
  readonly beside?: z.ZodObject
  /**
   * Which limit of sensitive calls per address it counts against: `proof` counts calls that fail (wrong keys, codes, links),
   * `begin` every call that begins a proof, `mail` every call that sends one, `register` new accounts, and what fails as a
   * proof. Passwords and second factors have limits of their own, per account and address.
   */
  readonly critical?: 'proof' | 'begin' | 'mail' | 'register'
  /**
   * True for a call that changes state; absent means every method but GET. A GET that changes state (signing out, a channel test) sets
   * it: it is then refused from other sites and on demo sites like any other change.
   */
  readonly changes?: boolean
  /**
   * Its answer says whether a guess about something that its caller may not read is right. It changes nothing and is still closed to
   * those who may only read.
   */
  readonly answersGuesses?: true
  /**
   * Asks a session to have proved lately who it is (by a code, a password or another way): `true` only where the account has a second
   * factor or another way to sign in, as for showing secrets; `always` for changes of how one signs in, which access tokens cannot make.
   */
  readonly confirm?: true | 'always'
  /**
   * Action of the human check (Turnstile) that the call requires where the operator switched it on; its token comes in the query
   * parameter `turnstile`.
   */
  readonly human?: 'login' | 'register' | 'verification' | 'reset_password'
  /**
   * How it answers where not with the envelope: `message` is `{message: 'success' | 'error', data}`,
   * `text` the plain word `success` or `fail`, for machines that prove themselves by a signature; `file` a download, while
   * refusals keep the envelope.
   */
  readonly answers?: 'message' | 'text' | 'file'
  /** The format of a download; a JSON one is an array. */
  readonly fileTypes?: readonly string[]
  /** Pages of other sites post to it, e.g. an identity provider's; the answer sets no cookie and signs nobody in. */
  readonly fromOtherSites?: true
  /** Scripts of any site may read the answer; only for calls that no cookie opens. */
  readonly cors?: true
  /** Megabytes that a body may have; 1 when absent, and for forms a sixteenth. */
  readonly megabytes?: number
  /** The body is a web form instead of JSON. */
  readonly form?: true
  /** HTTP status of the envelope when the body is no JSON or not of the right shape; 200 when absent. */
  readonly unusableBodyStatus?: number
}

export const endpoint = <
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Data extends z.ZodType | undefined = undefined,
  const A extends Access = Access,
>(
  entry: Endpoint<Params, Query, Body, Data, A>,
): Endpoint<Params, Query, Body, Data, A> => entry

/** True if a call changes something. */
export const isChange = ({ method, changes }: Pick<Endpoint, 'method' | 'changes'>): boolean =>
  changes ?? method !== 'GET'

/** The level that permissions and scopes must open for a call. */
export const levelOf = (endpoint: Pick<Endpoint, 'method' | 'changes' | 'answersGuesses'>): 'read' | 'write' =>
  isChange(endpoint) || endpoint.answersGuesses === true ? 'write' : 'read'

type Out<T> = T extends z.ZodType ? z.output<T> : undefined
type In<T> = T extends z.ZodType ? z.input<T> : undefined

export type ParamsOf<E> = E extends Endpoint<infer P, infer _Q, infer _B, infer _D, infer _A> ? Out<P> : never
export type QueryOf<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _D, infer _A> ? Out<Q> : never
export type BodyOf<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _D, infer _A> ? Out<B> : never
export type DataOf<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer D, infer _A> ? Out<D> : never
export type QueryInputOf<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _D, infer _A> ? In<Q> : never
export type BodyInputOf<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _D, infer _A> ? In<B> : never

/**
 * The envelope of every console answer. `code` and `request_id` come with failures, and `params` with those whose text has
 * places: what fills them, so that the console can write the text in a language that the server does not know.
 */
export interface Envelope<T = unknown> {
  success: boolean
  message: string
  data?: T
  code?: string
  params?: ErrorParams | undefined
  request_id?: string
}
