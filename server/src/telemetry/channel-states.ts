/** How a channel is, for those who watch it. */
export interface WatchedChannel {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  /** True where failures switched it off, and not an operator. */
  readonly autoDisabled: boolean
  /** Models that routing avoids at the moment. */
  readonly avoidedModels: readonly string[]
}

export type ChannelStates = () => readonly WatchedChannel[]
