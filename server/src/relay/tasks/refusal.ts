import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import type { CostFigures } from '../answer-cost/answer-cost.ts'
import type { CallFailure } from '../failure.ts'

/** Why a task was not taken on, in the words of its platform. */
export interface TaskRefusal {
  readonly status: number
  /** A number for Midjourney, a word for Suno. */
  readonly code: number | string
  readonly message: string
  /** What Midjourney's description ends with. */
  readonly result?: string
  /** The cause for the operator's log. */
  readonly cause?: string
}

/** JSON as a task's client reads it. */
export interface ClientAnswer {
  readonly status: number
  readonly bytes: Buffer
  /** Of its task, where its client asked. */
  readonly cost?: CostFigures | undefined
}

/** Midjourney's codes for what never reached an upstream. */
export const drawingCode = { unreachable: 5, invalid: 4 } as const

export const drawingRefusal = (message: string, more: Partial<TaskRefusal> = {}): TaskRefusal => ({
  status: 400,
  code: drawingCode.invalid,
  message,
  ...more,
})

export const songRefusal = (code: string, message: string, status = 400): TaskRefusal => ({ status, code, message })

/** A description always ends with a space and the result, which mostly is empty. */
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
  // Services refuse with a success of HTTP, which the log must not show as the error's status.
  status: status < refusedStatus ? refusedStatus : status,
  type: 'task_error',
  code: String(code),
  message: result === undefined || result === '' ? message : `${message} ${result}`,
  param: '',
  retryAfter: undefined,
  cause: cause ?? message,
  early: false,
})

/** Thrown where a check refuses; the gateway prints it in the platform's envelope. */
export class TaskRefused extends Error {
  readonly refusal: TaskRefusal
  constructor(refusal: TaskRefusal) {
    super(refusal.message)
    this.name = 'TaskRefused'
    this.refusal = refusal
  }
}
