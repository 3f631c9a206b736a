import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { SharedRedis } from './redis-client.ts'

/** A clock that all nodes of a Redis share: the clock of this node, and by how much the time of Redis differs from it. */
export interface SharedClock {
  /** Milliseconds since 1970. While Redis is away, the difference that was measured last holds. */
  readonly now: Clock
  /** Measures the difference anew. Never rejects. */
  measure(): Promise<void>
  close(): void
}

/** Milliseconds. A clock of a node that is set anew is wrong for so long at most. */
const measureEveryMs = 1000

/** Redis states whole milliseconds, and so does the clock of the node. */
const roundedMs = 1

const timeScript = `
local time = redis.call('TIME')
return string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
`
const milliseconds = z.coerce.number().int().positive()

/** Measures once before it resolves, and then every second; where Redis does not answer, it is the clock of the node. */
export const openSharedClock = async (redis: Pick<SharedRedis, 'run'>, clock: Clock): Promise<SharedClock> => {
  let difference = 0

  const redisTime = async (): Promise<number | undefined> => {
    try {
      return milliseconds.parse(await redis.run(timeScript, [], []))
    } catch {
      return undefined
    }
  }

  const measure = async (): Promise<void> => {
    const sentAt = clock()
    const time = await redisTime()
    const receivedAt = clock()
    // A clock that was set back meanwhile measures nothing.
    if (time === undefined || receivedAt < sentAt) return
    // Redis read its time between the two. A difference that agrees with that stays: slow answers must not make time jump.
    const [least, most] = [time - receivedAt - roundedMs, time - sentAt + roundedMs]
    if (difference < least || difference > most) difference = Math.round((least + most) / 2)
  }

  await measure()
  const timer = setInterval(() => void measure(), measureEveryMs)
  timer.unref()
  return { now: () => clock() + difference, measure, close: () => clearInterval(timer) }
}
