import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Dialect } from '../../dialects/dialect.ts'
import { conversationBeginning } from './conversation-beginning.ts'
import { bodySession, headerSession, speakerOf } from './session-names.ts'

/** The conversation that a call belongs to. */
export interface Session {
  /** 16 hex digits of a hash of its scope and its name: the same on every node, without revealing either. */
  readonly id: string
  /** The first 32 bits of it, for choosing. */
  readonly hash: number
  /** True if the client names it; else it is known by its beginning. */
  readonly named: boolean
  /** True if a provider may have cached its prompt, so that it should stay with its channel. */
  readonly staysWithChannel: boolean
}

/** Bytes of a request below which no provider caches the prompt (1,024 tokens at two bytes each). */
const smallestCached = 2048

export interface SessionedRequest {
  /** The scope of the caller's key (`scopeOf`). */
  readonly scope: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  readonly dialect: Dialect | undefined
  /** Bytes of the body. */
  readonly size: number
}

const idOf = (...parts: readonly string[]): string => hash('sha256', parts.join('\0'), 'hex').slice(0, 16)

const sessionWith = (id: string, named: boolean, staysWithChannel: boolean): Session => ({
  id,
  hash: Number.parseInt(id.slice(0, 8), 16),
  named,
  staysWithChannel,
})

/** The session of a call without a name of its conversation or user; `size` is that of its body in bytes. */
export const sessionByBeginning = (scope: string, beginning: string, size: number): Session =>
  sessionWith(idOf(scope, 'beginning', '', beginning), false, size >= smallestCached)

/**
 * The session of a call: as its client names it, else by who speaks and how the conversation began. It belongs to a user,
 * or to a member or project of an organisation: the same name of two of them means two sessions. undefined for calls that belong to no conversation.
 */
export const sessionOf = ({ scope, headers, body, dialect, size }: SessionedRequest): Session | undefined => {
  const name = headerSession(headers) ?? (dialect === undefined ? undefined : bodySession(body))
  if (name !== undefined) return sessionWith(idOf(scope, 'name', name), true, true)
  const beginning = dialect === undefined ? undefined : conversationBeginning(dialect, body)
  if (beginning === undefined) return undefined
  return sessionWith(idOf(scope, 'beginning', speakerOf(body), beginning), false, size >= smallestCached)
}
