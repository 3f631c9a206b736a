import { isIP } from 'node:net'
import { memoize } from '../../lib/memoize.ts'
import { isPrivateOrLoopback, plainAddress } from '../../lib/security/client-address.ts'

/** Names that resolve in private networks alone (RFC 6761, RFC 6762, RFC 8375, and ICANN's `internal`). */
const privateName = /^localhost$|^[^.]+$|\.(localhost|local|internal|lan|home\.arpa|localdomain|svc|cluster\.local)$/

const judged = (baseUrl: string): boolean => {
  const host = plainAddress(URL.parse(baseUrl)?.hostname ?? '').toLowerCase()
  if (host === '') return false
  return isIP(host) === 0 ? privateName.test(host) : isPrivateOrLoopback(host)
}

/** Whether an address is of this machine or of a private network, where engines stand that operators run themselves. */
export const isSelfHosted: (baseUrl: string) => boolean = memoize(1000, judged)
