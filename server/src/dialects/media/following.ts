import type { JsonObject } from '../conversation/json.ts'

/** The exchange that an answer began with. */
export interface Begun {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * For answers that one exchange does not hold: tasks that have to be asked after, pictures that lie elsewhere. All of it ends
 * when the time for an answer is over; what is thrown then needs no handling. When the client goes, what is under way throws
 * once: work that can be stopped is, and what cannot be goes on, for it will be paid.
 */
export interface FollowTools {
  /** Over the network that the call itself took. Throws when there is no answer, or none in JSON. */
  get(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
  }): Promise<{ readonly status: number; readonly json: JsonObject }>
  /** Whether the client has gone. */
  readonly isLeft: boolean
  /** A last word, also when all else is over: true when the provider did what it says. Never rejects. */
  abandon(request: { readonly url: string; readonly headers: Readonly<Record<string, string>> }): Promise<boolean>
  /** Waits so many milliseconds. */
  pause(milliseconds: number): Promise<void>
  /** The bytes of a picture at a public address, up to a size. */
  picture(url: string): Promise<Buffer>
}
