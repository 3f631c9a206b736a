import { type AttentionReason, getLive } from '@tollgate/contract'
import type { On } from '#server/http/route.ts'
import type { ChannelStates } from '#server/telemetry/channel-states.ts'
import type { LiveNodes } from '#server/telemetry/live/live-nodes.ts'
import { livePictureOf } from './picture.ts'

export interface LiveRouteParts {
  readonly nodes: Pick<LiveNodes, 'reports'>
  readonly channels: ChannelStates
  /** Channels that need attention, and why. */
  attention(): Promise<ReadonlyMap<number, readonly AttentionReason[]>>
  readonly clock: () => number
}

/** The screen asks every few seconds, for each reader. */
const attentionForMs = 10_000

/** The present, for administrators. */
export const liveRoutes = (on: On, { nodes, channels, attention, clock }: LiveRouteParts): void => {
  let latest: { readonly at: number; readonly found: ReturnType<LiveRouteParts['attention']> } | undefined
  const recentAttention = (): ReturnType<LiveRouteParts['attention']> => {
    const now = clock()
    if (latest === undefined || now - latest.at >= attentionForMs) latest = { at: now, found: attention() }
    const { found } = latest
    found.catch(() => {
      latest = undefined
    })
    return found
  }
  on(getLive, async ({ language }) => {
    const [reports, needs] = await Promise.all([nodes.reports(), recentAttention()])
    return { data: livePictureOf(reports, { channels: channels(), needs }, clock(), language) }
  })
}
