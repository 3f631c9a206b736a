import { getLive } from '@tollgate/contract'
import type { On } from '#server/http/route.ts'
import type { ChannelStates } from '#server/telemetry/channel-states.ts'
import type { LiveNodes } from '#server/telemetry/live/live-nodes.ts'
import { livePictureOf } from './picture.ts'

export interface LiveRouteParts {
  readonly nodes: Pick<LiveNodes, 'reports'>
  readonly channels: ChannelStates
  readonly clock: () => number
}

/** The present, for administrators. */
export const liveRoutes = (on: On, { nodes, channels, clock }: LiveRouteParts): void => {
  on(getLive, async ({ language }) => ({ data: livePictureOf(await nodes.reports(), channels(), clock(), language) }))
}
