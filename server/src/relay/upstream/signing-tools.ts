import type { SigningTools } from '../../providers/provider.ts'
import { fetchJson, type JsonNetwork } from './fetch-json.ts'

/** What a provider may need to sign a call, over the network that the call itself takes. */
export const signingTools = (parts: JsonNetwork & { readonly clock: () => number }): SigningTools => ({
  now: parts.clock,
  post: (request) => fetchJson({ method: 'POST', ...request }, parts),
})
