import type { AttentionReason, ChannelHealth } from '@tollgate/contract'
import { errorParams } from '@tollgate/contract/errors/refusal'
import { parseObject } from '@tollgate/contract/json'
import { z } from 'zod'
import { printedCause } from '#server/lib/json/stored-error.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import {
  type CardFacts,
  cardOf,
  mostNames,
  mostOfRule,
  type SiteLook,
  type StoredCard,
  type TodayRule,
} from './rule.ts'

const longestReason = 1000
/** A channel has one card, of the first of these that applies. */
const worstFirst = ['disabled', 'failing', 'key_refused', 'balance_low'] as const satisfies readonly AttentionReason[]
type ChannelReason = (typeof worstFirst)[number]

const statusError = z.object({ code: z.string(), params: errorParams })

/** Time and reason of the disabling of a channel, from `other_info`. */
const disabling = (otherInfo: string): CardFacts => {
  const { status_reason: text, status_time: at, status_error: error } = parseObject(otherInfo)
  const own = statusError.safeParse(error).data
  return {
    at: typeof at === 'number' ? at : 0,
    reason: typeof text === 'string' ? printedCause({ text, ...own }, longestReason) : '',
  }
}

/** Calls since the last one that was answered; of all calls where they are answered now and then. */
const failing = ({ points, last_error: reason }: ChannelHealth): CardFacts => {
  const lastAnswered = points.findLastIndex(({ answered }) => answered > 0)
  const after = points.slice(lastAnswered + 1).filter(({ failed }) => failed > 0)
  const [first] = after
  if (first !== undefined) {
    const failed = after.reduce((sum, point) => sum + point.failed, 0)
    return { at: first.time, count: failed, total: failed, reason }
  }
  const failed = points.reduce((sum, point) => sum + point.failed, 0)
  return { count: failed, total: points.reduce((sum, point) => sum + point.answered, failed), reason }
}

const shareGroup = (one: RelayChannel, other: RelayChannel): boolean =>
  [...one.groups].some((group) => other.groups.has(group))

/** Models of a channel that no other channel of its groups can answer now. */
const modelsLeftAlone = (channel: RelayChannel, others: readonly RelayChannel[]): readonly string[] => {
  const near = others.filter((other) => other.id !== channel.id && shareGroup(channel, other))
  return [...channel.models].filter((model) => !near.some(({ models }) => models.has(model)))
}

const reasonOf = (reasons: readonly AttentionReason[]): ChannelReason | undefined =>
  worstFirst.find((reason) => reasons.includes(reason))

/** Channels whose worst reason this is, with the models that no other channel answers. */
const channelsWith = async (look: SiteLook, reason: ChannelReason) => {
  const needs = await look.needs()
  const all = look.channels.snapshot().all()
  const working = all.filter(({ id, enabled }) => {
    const worst = reasonOf(needs.get(id) ?? [])
    return enabled && worst !== 'failing'
  })
  return all
    .filter(({ id }) => reasonOf(needs.get(id) ?? []) === reason)
    .slice(0, mostOfRule)
    .map((channel) => {
      const alone = modelsLeftAlone(channel, working)
      const facts: CardFacts = {
        object_id: channel.id,
        name: channel.name,
        names: alone.slice(0, mostNames),
        value: alone.length,
      }
      return { id: channel.id, facts }
    })
}

const rowsOf = async ({ database }: SiteLook, ids: readonly number[]) => {
  if (ids.length === 0) return new Map()
  const rows = await database.query
    .selectFrom('channels')
    .select(['id', 'other_info', 'balance'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const readDisabled = async (look: SiteLook): Promise<readonly StoredCard[]> => {
  const found = await channelsWith(look, 'disabled')
  const rows = await rowsOf(
    look,
    found.map(({ id }) => id),
  )
  return found.map(({ id, facts }) =>
    cardOf('channel_disabled', 'bad', [id], { ...facts, ...disabling(rows.get(id)?.other_info ?? '') }),
  )
}

const readFailing = async (look: SiteLook): Promise<readonly StoredCard[]> => {
  const [found, health] = await Promise.all([channelsWith(look, 'failing'), look.health()])
  return found.map(({ id, facts }) => {
    const day = health.get(id)
    return cardOf('channel_failing', 'bad', [id], { ...facts, ...(day ? failing(day) : {}) })
  })
}

const readRefusedKeys = async (look: SiteLook): Promise<readonly StoredCard[]> => {
  const found = await channelsWith(look, 'key_refused')
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return []
  const keys = await look.database.query
    .selectFrom('channel_keys')
    .select(['channel_id', 'status', 'reason', 'status_time'])
    .where('channel_id', 'in', ids)
    .execute()
  return found.map(({ id, facts }) => {
    const refused = keys
      .filter((key) => key.channel_id === id && key.status === 3)
      .toSorted((one, other) => other.status_time - one.status_time)
    const [latest] = refused
    const total = look.channels.snapshot().byId(id)?.keys.length ?? 0
    return cardOf('key_refused', 'warn', [id], {
      ...facts,
      count: refused.length,
      total: Math.max(total, refused.length),
      at: latest?.status_time ?? 0,
      reason: latest?.reason ?? '',
    })
  })
}

const readBalances = async (look: SiteLook): Promise<readonly StoredCard[]> => {
  const found = await channelsWith(look, 'balance_low')
  const ids = found.map(({ id }) => id)
  const [rows, health] = await Promise.all([rowsOf(look, ids), look.health()])
  return found.map(({ id, facts }) =>
    cardOf('balance_low', 'warn', [id], {
      ...facts,
      value: rows.get(id)?.balance ?? 0,
      amount: health.get(id)?.quota ?? 0,
    }),
  )
}

/** Channels that need attention: the same ones that the list of channels and the screen of the present show. */
export const channelRules: readonly TodayRule[] = [
  { rule: 'channel_disabled', area: 'channels', isNoticed: true, read: readDisabled },
  { rule: 'channel_failing', area: 'channels', read: readFailing },
  { rule: 'key_refused', area: 'channels', isNoticed: true, read: readRefusedKeys },
  { rule: 'balance_low', area: 'channels', read: readBalances },
]
