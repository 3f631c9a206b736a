import { setTimeout as sleep } from 'node:timers/promises'
import type { FollowTools } from '../../../dialects/media/following.ts'
import { AppError } from '../../../lib/app-error.ts'
import { fetchJson } from '../../upstream/fetch-json.ts'
import type { Network } from '../exchange.ts'

/** Milliseconds; the limit if the operator sets no time limit for answers. */
const longestMs = 600_000

export interface Following {
  readonly tools: FollowTools
  /** True once the time limit of the answer is over. */
  isLate(): boolean
  /** Call when the client disconnects. */
  leave(): void
  /** Call when the answer is complete. */
  stop(): void
}

/** Tools for answers that take several requests. RELAY_TIMEOUT limits all of them together. */
export const openFollowing = (network: Network): Following => {
  const { limits, fetchPicture } = network
  let end = new AbortController()
  let late = false
  let left = false
  const timer = setTimeout(() => {
    late = true
    end.abort()
  }, limits.timeouts.firstByte || longestMs)
  timer.unref()
  return {
    isLate: () => late,
    leave() {
      if (late || left) return
      left = true
      const before = end
      end = new AbortController()
      before.abort()
    },
    stop() {
      clearTimeout(timer)
      end.abort()
    },
    tools: {
      get isClientGone() {
        return left
      },
      get: (request) => fetchJson({ method: 'GET', ...request }, network, end.signal),
      abandon: (request) =>
        fetchJson({ method: 'POST', ...request }, network).then(
          ({ status }) => status >= 200 && status <= 299,
          () => false,
        ),
      pause: (milliseconds) => sleep(milliseconds, undefined, { signal: end.signal }),
      picture: async (url) => {
        end.signal.throwIfAborted()
        if (fetchPicture === undefined) throw new AppError('drawing_image_failed')
        return fetchPicture(url, end.signal)
      },
    },
  }
}
