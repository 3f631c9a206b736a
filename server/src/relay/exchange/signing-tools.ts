import type { SigningTools } from '../../providers/provider.ts'
import { exchangeJson } from './exchange-json.ts'
import type { AttemptParts } from './outcome.ts'

/** What a provider may need to sign a call, over the network that the call itself takes. */
export const signingTools = (parts: AttemptParts): SigningTools => ({
  now: parts.clock,
  post: (request) => exchangeJson({ method: 'POST', ...request }, parts),
})
