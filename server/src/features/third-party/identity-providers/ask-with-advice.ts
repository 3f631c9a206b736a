import { AppError } from '../../../lib/app-error.ts'
import { addressOf, isWebPage, networkAdvice } from '../../../lib/security/address-failure.ts'
import { type Outgoing, outgoingTimeoutMs } from '../../../lib/security/outgoing.ts'

/** Notes why the latest address did not answer with JSON, with what to do about it. */
export const askWithAdvice = (outgoing: Outgoing): { readonly ask: Outgoing; advised(): AppError | undefined } => {
  let advice: AppError | undefined
  const ask: Outgoing = async (url, init) => {
    const address = { url, key: '', proxy: '', timeoutMs: outgoingTimeoutMs }
    const answer = await outgoing(url, init).catch((error: Error) => {
      advice = networkAdvice(address, error)
      throw error
    })
    if (answer.status !== 200) {
      advice = new AppError('issuer_not_there', { params: { address: addressOf(address), status: answer.status } })
    } else if (isWebPage(await answer.clone().text())) {
      advice = new AppError('address_is_web_page', { params: { address: addressOf(address) } })
    }
    return answer
  }
  return { ask, advised: () => advice }
}
