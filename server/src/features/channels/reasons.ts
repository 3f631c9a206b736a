import { type BilingualText, type ErrorText, errors } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { UpstreamFailure } from '../../relay/ports.ts'

/** An answer that is not what the provider's reference promises. */
export const unreadable: BilingualText = { zh: '解析响应失败', en: 'the answer cannot be read' }

/** Parameters of an error that names a reason; what an upstream said is the same in every language. */
export const reasonParams = (reason: string | BilingualText): { reason: string; reason_en: string } =>
  typeof reason === 'string' ? { reason, reason_en: reason } : { reason: reason.zh, reason_en: reason.en }

/** The message of a failed test: the upstream's status and error text. */
export const failureText = ({ status, message }: UpstreamFailure): string =>
  status === 0 ? message : `status code ${status}: ${message}`

const ownErrors: Readonly<Record<string, ErrorText>> = errors

/** The same in both languages where the words are ours, which the relay writes in Chinese. */
export const failureWords = (failure: UpstreamFailure): BilingualText => {
  const own = ownMember(ownErrors, failure.code)
  const isOwn = own !== undefined && own.zh === failure.message
  return { zh: failureText(failure), en: failureText(isOwn ? { ...failure, message: own.en } : failure) }
}
