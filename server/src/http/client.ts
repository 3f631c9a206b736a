import { sessionCookie } from './access.ts'

/** The browser or program at the other end. */
export interface ConsoleClient {
  readonly ip: string
  /** True when a forwarding header was present. */
  readonly forwarded: boolean
  readonly userAgent: string
  /** Value of the session cookie it came with. */
  readonly sessionId: string | undefined
}

interface Visitor {
  readonly ip: string
  readonly forwarded: boolean
  header(name: string): string | undefined
  cookie(name: string): string | undefined
}

/** The client of a sign-in call. */
export const clientOf = (call: Visitor): ConsoleClient => ({
  ip: call.ip,
  forwarded: call.forwarded,
  userAgent: call.header('user-agent') ?? '',
  sessionId: call.cookie(sessionCookie),
})
