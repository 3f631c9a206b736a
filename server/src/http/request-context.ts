import type { Language } from '@tollgate/contract'
import { newRequestId } from '../lib/ids.ts'
import { type Log, redactQuery } from '../lib/log.ts'
import { type ClientAddress, createClientAddressReader } from '../lib/security/client-address.ts'

/** The socket at the other end. */
export interface Peer {
  readonly address: string | undefined
}

/** Facts about a request that are read before its path and body. */
export interface RequestFacts extends ClientAddress {
  readonly requestId: string
  readonly secure: boolean
  readonly language: Language
}

/** The console's API or its site. */
export type Fetch = (request: Request, peer: Peer) => Promise<Response>

type Handle = (request: Request, context: RequestFacts) => Promise<Response>

/** Chinese is the product's language; only browsers that prefer English get English. */
export const languageOf = (acceptLanguage: string | undefined): Language =>
  acceptLanguage?.trimStart().toLowerCase().startsWith('en') ? 'en' : 'zh'

// Read from any client: a false header only makes the sender's own cookie `Secure`.
const isSecure = (header: (name: string) => string | undefined): boolean =>
  header('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase() === 'https'

const withHeaders = (answer: Response, headers: Readonly<Record<string, string>>): Response => {
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value)
  return answer
}

/** Gives each request its id, client address and language, and writes its line in the access log. */
export const createRequestContexts = (parts: {
  trustedProxies: readonly string[]
  log: Log
}): ((handle: Handle) => Fetch) => {
  const addressOf = createClientAddressReader(parts.trustedProxies)

  const contextOf = (request: Request, peer: Peer): RequestFacts => {
    const header = (name: string): string | undefined => request.headers.get(name) ?? undefined
    return {
      ...addressOf(peer.address, header),
      requestId: newRequestId(),
      secure: isSecure(header),
      language: languageOf(header('accept-language')),
    }
  }

  return (handle) => async (request, peer) => {
    const started = performance.now()
    const context = contextOf(request, peer)
    const answer = withHeaders(await handle(request, context), {
      'X-Oneapi-Request-Id': context.requestId,
      'X-Content-Type-Options': 'nosniff',
    })
    const { pathname, search } = new URL(request.url)
    parts.log.info('request', {
      request_id: context.requestId,
      status: answer.status,
      ms: Math.round(performance.now() - started),
      ip: context.ip,
      method: request.method,
      path: redactQuery(pathname + search),
    })
    return answer
  }
}
