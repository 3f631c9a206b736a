import type {
  Access,
  BodyOf,
  DataOf,
  Endpoint,
  Language,
  ParamsOf,
  Permissions,
  QueryOf,
  Scope,
} from '@tollgate/contract'

/** A named access token as its calls carry it. */
export interface CallToken {
  readonly id: number
  readonly scopes: readonly Scope[]
}

/** Person behind a console call, read afresh for each call. */
export interface ConsoleCaller {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly status: number
  readonly group: string
  /** Permissions of an administrator, by area; undefined if the role alone decides. */
  readonly permissions: Permissions | undefined
  /** True when an access token was used instead of a session. */
  readonly viaAccessToken: boolean
  /** The named token that was used; undefined with a session or with the system access token. */
  readonly accessToken?: CallToken | undefined
  /** Keyed hash of the session id; empty with an access token. */
  readonly sessionIdHash: string
}

type CallerOf<A extends Access> = A extends 'user' | 'admin' | 'root' | 'session'
  ? ConsoleCaller
  : ConsoleCaller | undefined

/** A console call after access and schemas have been checked. */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  readonly caller: CallerOf<E['access']>
  /** Client address, forwarding headers read only from trusted proxies. */
  readonly ip: string
  /** True when a forwarding header was present, trusted or not. */
  readonly forwarded: boolean
  /** True when the client reached us (or a trusted proxy) over HTTPS. */
  readonly secure: boolean
  readonly language: Language
  /** The query as it was sent, byte by byte, with its question mark: for signatures over it. */
  readonly search: string
  readonly requestId: string
  header(name: string): string | undefined
  cookie(name: string): string | undefined
}

/** Answer of a handler; the envelope is made around it. */
export interface EndpointAnswer<E extends Endpoint> {
  readonly data?: DataOf<E>
  /** Shown by clients on success, e.g. 设置已更新; empty by default. */
  readonly message?: string
  /** Fields beside `data`, by the endpoint's `beside`. */
  readonly beside?: Readonly<Record<string, unknown>>
  readonly cookies?: readonly Cookie[]
  /** Target of a redirect (302) instead of an envelope: a path of this site, or the address of an identity provider. */
  readonly redirect?: string
  /** A download instead of an envelope, where the endpoint `answers` with a file. */
  readonly file?: FileAnswer
}

/** A file that is made while it is sent. */
export interface FileAnswer {
  readonly name: string
  /** The media type. */
  readonly type: string
  readonly parts: AsyncIterable<string | Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
}

/** `value` undefined clears the cookie. Always HttpOnly, SameSite=Lax, Path=/; Secure when the call was. */
export interface Cookie {
  readonly name: string
  readonly value: string | undefined
  readonly maxAgeSeconds: number
}

export type EndpointHandler<E extends Endpoint> = (call: Call<E>) => Promise<EndpointAnswer<E>> | EndpointAnswer<E>

/** Joins an endpoint of the contract to its handler. Features get this and nothing else of HTTP. */
export type On = <E extends Endpoint>(endpoint: E, handler: EndpointHandler<E>) => void
