import type { CallFailure } from '../failure.ts'

/** Why a task was not taken on, in the words of its platform. */
export interface TaskRefusal {
  readonly status: number
  /** A number for Midjourney, a word for Suno. */
  readonly code: number | string
  readonly message: string
  /** What Midjourney's description ends with. */
  readonly result?: string
  /** For the operator. */
  readonly cause?: string
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
export const drawingError = ({ code, message, result = '' }: TaskRefusal): string =>
  JSON.stringify({ code, description: `${message} ${result}`, type: 'upstream_error' })

export const songError = ({ code, message }: TaskRefusal): string =>
  JSON.stringify({ code: String(code), message, data: null })

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

/** Thrown where a check refuses; the door prints it in the platform's envelope. */
export class TaskRefused extends Error {
  readonly refusal: TaskRefusal
  /** Whether the log of failed calls has it. */
  readonly recorded: boolean
  constructor(refusal: TaskRefusal, { recorded = false } = {}) {
    super(refusal.message)
    this.name = 'TaskRefused'
    this.refusal = refusal
    this.recorded = recorded
  }
}
