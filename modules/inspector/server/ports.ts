import type { RelayCall } from '#server/relay/call.ts'
import type { CallCapture } from '#server/relay/call-capture.ts'
import type { CallerUser } from '#server/relay/callers.ts'

/** A call that was captured, to be made again. */
export interface Replay {
  /** Payer of the call. */
  readonly user: CallerUser
  /** 0 for any. */
  readonly channel: number
  /** Empty for the same. */
  readonly model: string
  readonly path: string
  readonly query: string
  readonly body: string
  readonly ip: string
  /** Follows the call. */
  readonly attach: (call: RelayCall) => CallCapture
}

/** Makes calls again. */
export interface Replays {
  /** True if calls of this path can be made again: sessions, tasks and direct calls cannot. */
  takes(path: string): boolean
  /** Makes a call again, the way every call is made. Throws AppError where it is refused before it is a call. */
  send(replay: Replay): Promise<void>
}

/** Names of what may be inspected, and who owns it. */
export interface InspectedThings {
  user(id: number): Promise<(CallerUser & { readonly role: number }) | undefined>
  token(id: number): Promise<{ readonly name: string; readonly userId: number } | undefined>
  channel(id: number): { readonly name: string } | undefined
}
