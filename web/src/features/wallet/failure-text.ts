import { ApiError } from '../../lib/api/api.ts'
import { useWalletMessages } from './messages.ts'

/** Why a payment or a code went wrong: the server's words, or that there was no answer. */
export const useFailureText = (): ((error: unknown) => string) => {
  const say = useWalletMessages()
  return (error) => {
    if (!(error instanceof ApiError)) throw error
    return error.status === 0 ? say('requestFailed') : error.message
  }
}
