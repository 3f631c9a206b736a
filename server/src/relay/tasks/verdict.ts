import type { TaskStart, UpstreamFailure } from '../ports.ts'
import type { ClientAnswer, TaskRefusal } from './refusal.ts'

/** Classification of an upstream's answer to a submission. */
export type Verdict =
  | {
      readonly kind: 'taken'
      readonly answer: ClientAnswer
      readonly task: SubmittedTask
    }
  | {
      readonly kind: 'refused'
      /** The upstream's own message, if any. */
      readonly answer: ClientAnswer | undefined
      readonly refusal: TaskRefusal
      /** Set when the channel has failed, not the request. */
      readonly failure: UpstreamFailure | undefined
      /** True if nothing was begun, and another channel may do it. */
      readonly retry: boolean
    }

/** The part of a task's row that the answer contains. */
export type SubmittedTask = Pick<
  TaskStart,
  'taskId' | 'code' | 'description' | 'state' | 'status' | 'progress' | 'imageUrl' | 'failReason'
>

/** Statuses of requests that were not accepted, and that another channel may accept. */
export const turnsAway: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 429, 503])

/** Failure of a channel; `cause` is for the operator. */
export const failureWith = (status: number, code: string, message: string, cause: string): UpstreamFailure => ({
  status,
  type: 'upstream_error',
  code,
  message,
  cause,
})

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299

/** The first 500 bytes of a body, for logs and messages. */
export const shownText = (bytes: Buffer): string => bytes.toString('utf8', 0, 500)
