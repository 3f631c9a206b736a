import { setTimeout as sleep } from 'node:timers/promises'
import type { BodyOf, DataOf, Endpoint, Envelope } from '@tollgate/contract'

export interface SiteApi {
  /**
   * Answers `data`, checked by the schema of the endpoint. `path` replaces the path where it has parameters or a query.
   * Waits while the site limits calls. @throws Error with the reason of a refusal.
   */
  call<E extends Endpoint>(endpoint: E, request?: { path?: string; body?: BodyOf<E> }): Promise<DataOf<E>>
  /** The whole envelope, for what stands beside `data`. */
  envelope(endpoint: Endpoint): Promise<Envelope>
}

export interface SiteAddress {
  readonly url: string
  /** A system access token of an administrator. */
  readonly token: string
  /** Owner of the token. */
  readonly userId: number
}

const pauseMs = 5_000
/** Longer than the window of any usual limit. */
const mostPauses = 60
const answerMs = 60_000

/** Calls the console's API of a running site. */
export const openSiteApi = ({ url, token, userId }: SiteAddress, notice: (line: string) => void): SiteApi => {
  const ask = async (endpoint: Endpoint, path: string, body: unknown): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, 'new-api-user': String(userId), 'accept-language': 'en' }
    try {
      return await fetch(url.replace(/\/+$/, '') + path, {
        method: endpoint.method,
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(answerMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      throw new Error(`${url} cannot be reached: ${cause}`)
    }
  }

  const answered = async (endpoint: Endpoint, path: string, body: unknown): Promise<Envelope> => {
    for (let pauses = 0; ; pauses++) {
      const response = await ask(endpoint, path, body)
      if (response.status === 429 && pauses < mostPauses) {
        if (pauses === 0) notice('The site limits calls; waiting.')
        await sleep(pauseMs)
        continue
      }
      const envelope = await (response.json() as Promise<Envelope>).catch(() => undefined)
      if (envelope?.success === true) return envelope
      const reason = envelope?.message ?? `it answered ${response.status}, and no JSON`
      throw new Error(`${endpoint.method} ${path} was refused: ${reason}${refusalsIn(envelope?.data)}`)
    }
  }

  return {
    async call<E extends Endpoint>(
      endpoint: E,
      { path = endpoint.path, body }: { path?: string; body?: BodyOf<E> } = {},
    ) {
      const { data } = await answered(endpoint, path, body)
      const schema = endpoint.data
      return (schema === undefined ? undefined : schema.parse(data)) as DataOf<E>
    },
    envelope: (endpoint) => answered(endpoint, endpoint.path, undefined),
  }
}

/** Why options were refused, key by key. */
const refusalsIn = (data: unknown): string => {
  const refused = (data as { refused?: readonly { key: string; message: string }[] } | undefined)?.refused
  return Array.isArray(refused) ? refused.map(({ key, message }) => `\n  ${key}: ${message}`).join('') : ''
}
