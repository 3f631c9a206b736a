import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import type { CostFigures } from '../answer-cost/answer-cost.ts'
import type { CallFailure } from '../failure.ts'

/** Refusal of a task, in its platform's format. */
export interface TaskRefusal {
  readonly status: number
  /** A number for Midjourney, a word for Suno. */
  readonly code: number | string
  readonly message: string
  /** End of Midjourney's description. */
  readonly result?: string
  /** The cause for the operator's log. */
  readonly cause?: string
}

/** JSON as a task's client reads it. */
export interface ClientAnswer {
  readonly status: number
  readonly bytes: Buffer
  /** Cost of its task, where its client requested it. */
  readonly cost?: CostFigures | undefined
}

/** Midjourney's codes for requests that never reached an upstream. */
export const drawingCode = { unreachable: 5, invalid: 4 } as const

/** A refusal in Midjourney's format. */
export const drawingRefusal = (message: string, more: Partial<TaskRefusal> = {}): TaskRefusal => ({
  status: 400,
  code: drawingCode.invalid,
  message,
  ...more,
})

/** A refusal in Suno's format. */
export const songRefusal = (code: string, message: string, status = 400): TaskRefusal => ({ status, code, message })

/** Midjourney's description, which always ends with a space and the result, mostly empty. */
const drawingError = ({ code, message, result = '' }: TaskRefusal): string =>
  JSON.stringify({ code, description: `${message} ${result}`, type: 'upstream_error' })

const songError = ({ code, message }: TaskRefusal): string =>
  JSON.stringify({ code: String(code), message, data: null })

/** A refusal as clients of the platform read it. */
export const refusalAnswer = (platform: TaskPlatform, refusal: TaskRefusal): ClientAnswer => ({
  status: refusal.status,
  bytes: Buffer.from(platform === 'midjourney' ? drawingError(refusal) : songError(refusal)),
})

const refusedStatus = 400

/** The same for the log of failed calls. */
export const failureOfRefusal = ({ status, code, message, result, cause }: TaskRefusal): CallFailure => ({
  // Services refuse with HTTP status 200, which the log must not show as the error's status.
  status: status < refusedStatus ? refusedStatus : status,
  type: 'task_error',
  code: String(code),
  message: result === undefined || result === '' ? message : `${message} ${result}`,
  param: '',
  retryAfter: undefined,
  cause: cause ?? message,
  early: false,
})

/** Thrown by checks; the gateway prints it in the platform's format. */
export class TaskRefused extends Error {
  readonly refusal: TaskRefusal
  constructor(refusal: TaskRefusal) {
    super(refusal.message)
    this.name = 'TaskRefused'
    this.refusal = refusal
  }
}
