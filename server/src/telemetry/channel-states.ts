/** How a channel is, for those who watch it. */
export interface WatchedChannel {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  /** Models that routing avoids at the moment. */
  readonly avoidedModels: readonly string[]
}

export type ChannelStates = () => readonly WatchedChannel[]
