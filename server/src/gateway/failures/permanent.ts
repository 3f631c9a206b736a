import type { CallFailure } from '../../relay/failure.ts'

/** Refusals that may pass: timeouts, conflicts, limits, a client that left. */
const passing: ReadonlySet<number> = new Set([408, 409, 423, 425, 429, 499])

/** Errors that persist until an operator acts, although their status suggests a retry. */
const lasting: ReadonlySet<unknown> = new Set([
  'api_not_implemented',
  'channels_used_up',
  'endpoint_not_served',
  'gemini_live_not_implemented',
  'limit_used_up',
  'model_mapped_error',
  'realtime_webrtc_not_implemented',
])

const isPermanent = ({ status, code }: CallFailure): boolean =>
  (status >= 400 && status < 500 && !passing.has(status)) || lasting.has(code)

const noRetry: readonly string[] = ['x-should-retry', 'false']
const nothing: readonly string[] = []

/** The header with which the clients of OpenAI and Anthropic give up at once; empty for faults that may pass. */
export const retryAdvice = (failure: CallFailure): readonly string[] => (isPermanent(failure) ? noRetry : nothing)
