import { Agent, type Dispatcher, request } from 'undici'
import { AppError } from '../app-error.ts'
import type { EgressGuard } from './egress.ts'

export interface Download {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Dispatcher.ResponseData['body']
}

export interface DownloadInit {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Begins a download. Throws AppError('address_blocked'), or the error of the network. */
export type GuardedDownload = (address: string, init?: DownloadInit) => Promise<Download>

const mostRedirects = 3

/**
 * Downloads from addresses that an upstream states: http and https, to addresses that are looked up, checked and connected to in one step,
 * again after each redirect. `timeoutMs` is for the connection, the head, and between chunks.
 */
export const createGuardedDownload = (
  egress: EgressGuard,
  { timeoutMs }: { readonly timeoutMs: number },
): GuardedDownload => {
  const agent = new Agent({ connect: { lookup: egress.lookup, timeout: timeoutMs } })

  const from = async (address: string, init: DownloadInit, redirects: number): Promise<Download> => {
    await egress.check(address)
    const answer = await request(address, {
      dispatcher: agent,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...init,
    })
    const { location } = answer.headers
    if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
      await answer.body.dump()
      if (redirects === 0) throw new AppError('address_blocked', { params: { host: 'too many redirects' } })
      return from(new URL(location, address).href, init, redirects - 1)
    }
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }

  return (address, init = {}) => from(address, init, mostRedirects)
}
