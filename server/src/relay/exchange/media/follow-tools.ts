import { setTimeout as sleep } from 'node:timers/promises'
import type { FollowTools } from '../../../dialects/media/following.ts'
import { AppError } from '../../../lib/app-error.ts'
import { fetchJson } from '../../upstream/fetch-json.ts'
import type { Network } from '../exchange.ts'

/** Bounds work where the operator bounds no answer. */
const longestMs = 600_000

export interface Following {
  readonly tools: FollowTools
  /** Whether the time is over that an answer may take. */
  isLate(): boolean
  /** The client has gone. */
  leave(): void
  /** The answer is there. */
  stop(): void
}

/** Tools to follow an answer beyond its first response. The time for an answer (RELAY_TIMEOUT) bounds all of it together. */
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
      get isLeft() {
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
