import { type Channel, channelStatus } from '../../../lib/api/contract.ts'

/** The channels of one tag with their sums; the empty tag groups channels without a tag. */
export interface TagRow {
  readonly tag: string
  readonly channels: readonly Channel[]
  readonly enabled: number
  /** Comma list. */
  readonly groups: string
  readonly used_quota: number
  /** Average of the channels that were tested, in milliseconds; 0 when none was. */
  readonly response_time: number
  /** The common value, or undefined where they differ. */
  readonly priority: number | undefined
  readonly weight: number | undefined
}

const common = (values: readonly number[]): number | undefined =>
  values.every((value) => value === values[0]) ? values[0] : undefined

const rowOf = (tag: string, channels: readonly Channel[]): TagRow => {
  const tested = channels.filter((channel) => channel.response_time > 0)
  const time = tested.reduce((sum, channel) => sum + channel.response_time, 0)
  return {
    tag,
    channels,
    enabled: channels.filter((channel) => channel.status === channelStatus.enabled).length,
    groups: [...new Set(channels.flatMap((channel) => channel.group.split(',')))].join(','),
    used_quota: channels.reduce((sum, channel) => sum + channel.used_quota, 0),
    response_time: tested.length === 0 ? 0 : time / tested.length,
    priority: common(channels.map((channel) => channel.priority)),
    weight: common(channels.map((channel) => channel.weight)),
  }
}

/** One row per tag in order of name, those without a tag last. */
export const tagRows = (channels: readonly Channel[]): TagRow[] => {
  const tags = Map.groupBy(channels, (channel) => channel.tag ?? '')
  return [...tags]
    .map(([tag, members]) => rowOf(tag, members))
    .sort((left, right) => (left.tag === '' ? 1 : right.tag === '' ? -1 : left.tag.localeCompare(right.tag)))
}
