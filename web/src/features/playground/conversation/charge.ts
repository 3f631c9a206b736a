import { ApiError, call } from '../../../lib/api/api.ts'
import { whenConnected } from '../../../lib/api/connection.ts'
import { calls, logType } from '../../../lib/api/contract.ts'

/** The log is written a moment after the answer ended. */
const waitsMs = [150, 600, 1500, 4000] as const

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The charge of a request, from the user's own log; undefined when the site does not log it. */
export const chargeOf = async (requestId: string): Promise<number | undefined> => {
  for (const wait of waitsMs) {
    await after(wait)
    try {
      const { items } = await call(calls.listOwnLogs, { query: { request_id: requestId } })
      const charge = items.find(({ type }) => type === logType.consume)
      if (charge) return charge.quota
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'network') return undefined
      // An answer that broke off with the line is charged as far as it came.
      await whenConnected()
    }
  }
  return undefined
}
