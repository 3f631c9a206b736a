import { sameHost } from '#server/http/origin.ts'
import { AppError } from '#server/lib/app-error.ts'

/** Relying party of a passkey: the host name it is bound to and the one origin that may use it. */
export interface Party {
  readonly id: string
  readonly origin: string
}

const isAddress = (hostname: string): boolean => /^[\d.]+$|^\[/.test(hostname)
const isLocal = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost')

const partyAt = (address: string): Party => {
  const { protocol, hostname, origin } = new URL(address)
  const secure = protocol === 'https:' || isLocal(hostname)
  if (!secure || isAddress(hostname)) throw new AppError('passkey_insecure')
  return { id: hostname, origin }
}

/**
 * The party of a call. With the option ServerAddress it is that address, whatever a proxy or the caller says, and pages
 * at another address are sent there. Without it, it is the page's own origin, once its host is the one that was called:
 * a passkey made through a foreign proxy is then bound to that proxy's name and opens nothing here. Throws
 * AppError('passkey_elsewhere' | 'passkey_insecure').
 */
export const partyOf = (serverAddress: string, header: (name: string) => string | undefined): Party => {
  const origin = header('origin')
  if (serverAddress !== '') {
    const party = partyAt(serverAddress)
    if (origin !== undefined && origin !== party.origin) {
      throw new AppError('passkey_elsewhere', { params: { address: party.origin } })
    }
    return party
  }
  if (origin === undefined || !URL.canParse(origin) || !sameHost(header)) throw new AppError('cross_origin')
  return partyAt(origin)
}
