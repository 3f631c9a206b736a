import type { JsonObject } from '../conversation/json.ts'

/** The first request of a multi-request answer. */
export interface FirstRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Tools for answers that take several requests: polling a task, downloading pictures. Every call throws once the time limit of the
 * answer is over; callers need not handle that. When the client disconnects, the pending call throws once, so that the caller can
 * cancel the task at the provider. A task that cannot be cancelled goes on, because the provider bills it.
 */
export interface FollowTools {
  /** Sends a request over the connection settings of the call. Throws if there is no answer, or no JSON. */
  get(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
  }): Promise<{ readonly status: number; readonly json: JsonObject }>
  /** True if the client has disconnected. */
  readonly isClientGone: boolean
  /** Sends a cancel request, also after the time limit. True if the provider accepted it. Never rejects. */
  abandon(request: { readonly url: string; readonly headers: Readonly<Record<string, string>> }): Promise<boolean>
  /** Waits; the duration is in milliseconds. */
  pause(milliseconds: number): Promise<void>
  /** Downloads a picture from a public URL, up to the size limit. */
  picture(url: string): Promise<Buffer>
}
