import { type FoundSubject, type LimitSubject, mostFoundSubjects } from '@tollgate/contract'
import { upstreamKeyValue } from '../../limits/compiled-limit.ts'
import type { RelayChannel } from '../../relay/ports.ts'
import { seedOfKey } from '../../relay/routing/key-choice.ts'

export type NamedChannel = Pick<RelayChannel, 'id' | 'name' | 'type' | 'keys' | 'ring'>

/** Channels and their keys as limits name them, from memory. */
export interface ChannelNames {
  /** Empty where there is no such thing any more. */
  nameOf(kind: LimitSubject, value: string): string
  find(kind: LimitSubject, keyword: string): FoundSubject[]
}

const channelIn = (value: string): number => Number(value.split(':')[0])

/** Hint of a key of a channel of a type, without the secret parts. */
type HintOf = (type: number, key: string) => string

const keysOf = (channel: NamedChannel, hintOf: HintOf): readonly FoundSubject[] =>
  channel.keys.map((key) => ({
    value: upstreamKeyValue(channel.id, seedOfKey(channel, key)),
    name: `${channel.name} ${hintOf(channel.type, key)}`,
    note: `#${channel.id}`,
  }))

const subjectsOf = (kind: LimitSubject, channel: NamedChannel, hintOf: HintOf): readonly FoundSubject[] =>
  kind === 'upstream_key' ? keysOf(channel, hintOf) : [{ value: String(channel.id), name: channel.name, note: '' }]

/** `all` are the channels that the relay knows, enabled or not. */
export const openChannelNames = (all: () => readonly NamedChannel[], hintOf: HintOf): ChannelNames => ({
  nameOf(kind, value) {
    const channel = all().find(({ id }) => id === channelIn(value))
    if (channel === undefined) return ''
    return subjectsOf(kind, channel, hintOf).find((one) => one.value === value)?.name ?? ''
  },

  find(kind, keyword) {
    const text = keyword.replace('#', '').toLowerCase()
    const found: FoundSubject[] = []
    for (const channel of all().toSorted((one, other) => one.name.localeCompare(other.name))) {
      for (const subject of subjectsOf(kind, channel, hintOf)) {
        if (!subject.name.toLowerCase().includes(text) && subject.value !== text && String(channel.id) !== text)
          continue
        found.push(subject)
        if (found.length >= mostFoundSubjects) return found
      }
    }
    return found
  },
})
