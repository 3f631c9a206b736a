/** Recent measurements of this node's channels, for routing. In memory, O(1) per call. */
export interface ChannelFigures {
  /** A call was sent to a channel, and was answered, refused or cancelled. */
  begins(channelId: number): void
  ends(channelId: number): void
  /** Running calls of a channel. */
  underWay(channelId: number): number
  /** Notes the latency of an answer: milliseconds to the first content, of a whole answer to its end. */
  answered(channelId: number, model: string, ms: number, now: number): void
  /** Moving average of the latency in milliseconds; undefined where there is no recent one. */
  answersIn(channelId: number, model: string, now: number): number | undefined
}

interface Measured {
  average: number
  /** Milliseconds since 1970. */
  at: number
}

/** Weight of the newest call in the average: the last ten calls dominate it. */
const newest = 0.2
/** Milliseconds after which figures are stale: the channel is measured again. */
const validMs = 300_000
/** About 5 MB. */
const mostMeasured = 50_000

export const openChannelFigures = (): ChannelFigures => {
  const running = new Map<number, number>()
  // By channel first: a joined key would be hashed for each compared channel.
  const measured = new Map<number, Map<string, Measured>>()
  let count = 0
  return {
    begins: (channelId) => {
      running.set(channelId, (running.get(channelId) ?? 0) + 1)
    },
    ends: (channelId) => {
      const left = (running.get(channelId) ?? 0) - 1
      if (left > 0) running.set(channelId, left)
      else running.delete(channelId)
    },
    underWay: (channelId) => running.get(channelId) ?? 0,
    answered: (channelId, model, ms, now) => {
      let models = measured.get(channelId)
      const before = models?.get(model)
      if (before !== undefined && now - before.at < validMs) {
        before.average += newest * (ms - before.average)
        before.at = now
        return
      }
      if (count >= mostMeasured) {
        measured.clear()
        models = undefined
        count = 0
      }
      if (models === undefined) {
        models = new Map()
        measured.set(channelId, models)
      }
      if (!models.has(model)) count += 1
      models.set(model, { average: ms, at: now })
    },
    answersIn: (channelId, model, now) => {
      const found = measured.get(channelId)?.get(model)
      return found === undefined || now - found.at >= validMs ? undefined : found.average
    },
  }
}
