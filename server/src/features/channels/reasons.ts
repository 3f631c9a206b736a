import type { BilingualText, Cause } from '@tollgate/contract'
import type { AppError } from '../../lib/app-error.ts'
import type { UpstreamFailure } from '../../relay/ports.ts'
import type { ChannelProblem } from './jobs/job.ts'

/** Why a channel that the relay does not know cannot be tested. */
export const cannotRelay: BilingualText = { zh: '该渠道无法转发', en: 'the channel cannot relay' }

/** Parameters of an error that names a reason; what an upstream said is the same in every language. */
export const reasonParams = (reason: string | BilingualText): { reason: string; reason_en: string } =>
  typeof reason === 'string' ? { reason, reason_en: reason } : { reason: reason.zh, reason_en: reason.en }

/** The message of a failed test: the upstream's status and error text. */
export const failureText = ({ status, message }: UpstreamFailure): string =>
  status === 0 ? message : `status code ${status}: ${message}`

/** Why a channel failed, in Chinese where the text is ours. */
export const causeOf = ({ message, sentence }: UpstreamFailure): Cause => ({ text: message, ...sentence })

/** Why a channel failed its test, as a job keeps it. */
export const failureProblem = (failure: UpstreamFailure): ChannelProblem => {
  const { text, ...fields } = causeOf(failure)
  return { reason: fields.code === undefined ? failureText(failure) : text, ...fields }
}

/** An error of ours, as a job keeps it. */
export const problemOf = (error: AppError): ChannelProblem => ({ reason: error.textIn('zh'), ...error.asFields })
