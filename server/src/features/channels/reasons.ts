import { type BilingualText, type ErrorCode, errors } from '@tollgate/contract'
import type { AppError } from '../../lib/app-error.ts'
import type { UpstreamFailure } from '../../relay/ports.ts'
import type { Problem } from './jobs/job.ts'

/** An answer that is not what the provider's reference promises. */
export const unreadable: BilingualText = { zh: '解析响应失败', en: 'the answer cannot be read' }

/** Of a channel that the relay does not know. */
export const cannotRelay: BilingualText = { zh: '该渠道无法转发', en: 'the channel cannot relay' }

/** Parameters of an error that names a reason; what an upstream said is the same in every language. */
export const reasonParams = (reason: string | BilingualText): { reason: string; reason_en: string } =>
  typeof reason === 'string' ? { reason, reason_en: reason } : { reason: reason.zh, reason_en: reason.en }

/** The message of a failed test: the upstream's status and error text. */
export const failureText = ({ status, message }: UpstreamFailure): string =>
  status === 0 ? message : `status code ${status}: ${message}`

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code)

/** The code of a failure whose text is ours, which the relay writes in Chinese; undefined for texts of upstreams. */
export const ownErrorOf = ({ code, message }: UpstreamFailure): ErrorCode | undefined =>
  isErrorCode(code) && errors[code].zh === message ? code : undefined

/** Why a channel failed its test, as a job keeps it. */
export const failureProblem = (failure: UpstreamFailure): Problem => {
  const code = ownErrorOf(failure)
  return code === undefined ? { reason: failureText(failure) } : { reason: failure.message, code }
}

/** The same of an error of ours. */
export const problemOf = (error: AppError): Problem => ({ reason: error.textIn('zh'), ...error.asFields })
