import type { TaskStart, UpstreamFailure } from '../ports.ts'
import type { ClientAnswer, TaskRefusal } from './refusal.ts'

/** What an upstream's answer to a submission comes to. */
export type Verdict =
  | {
      readonly kind: 'taken'
      readonly answer: ClientAnswer
      readonly task: SubmittedTask
    }
  | {
      readonly kind: 'refused'
      /** The upstream's own words where it has some. */
      readonly answer: ClientAnswer | undefined
      readonly refusal: TaskRefusal
      /** Set when the channel is to blame, not what was asked. */
      readonly failure: UpstreamFailure | undefined
      /** Nothing was begun, and another channel may do it. */
      readonly retry: boolean
    }

/** The part of a task's row that the answer tells. */
export type SubmittedTask = Pick<
  TaskStart,
  'taskId' | 'code' | 'description' | 'state' | 'status' | 'progress' | 'imageUrl' | 'failReason'
>

/** Statuses that say that a request was not taken on, and that another channel may do better. */
export const turnsAway: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 429, 503])

export const failureWith = (status: number, code: string, message: string, cause: string): UpstreamFailure => ({
  status,
  type: 'upstream_error',
  code,
  message,
  cause,
})

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299

/** The beginning of a body, as much as logs and messages show. */
export const shownText = (bytes: Buffer): string => bytes.toString('utf8', 0, 500)
