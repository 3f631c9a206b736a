import type { SigningTools } from '../../providers/provider.ts'
import { fetchJson, type JsonNetwork } from './fetch-json.ts'

/** Clock and network for signing a call, over the network of the call itself. */
export const signingTools = (parts: JsonNetwork & { readonly clock: () => number }): SigningTools => ({
  now: parts.clock,
  post: (request) => fetchJson({ method: 'POST', ...request }, parts),
})
