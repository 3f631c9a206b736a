import { insertReturningId } from '#server/db/dialect.ts'
import { openImported } from '#server/ledger/opening.ts'
import { AppError } from '#server/lib/app-error.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import type { NewChannelRow } from '../ports.ts'
import type { ImportRun } from '../run.ts'
import type { MovedChannel } from '../site.ts'

interface Chosen {
  readonly channel: MovedChannel
  readonly row: NewChannelRow
}

/** Moves channels with their keys and the states of these. */
export const createChannelWriter = ({ target, notes, map, ...run }: ImportRun) => {
  const { database, secrets } = target
  // In a dry run, groups that the options would bring are not there yet.
  const groupExists = (group: string): boolean => target.groupExists(group) || run.newGroups().has(group)

  /** Groups without a ratio exist nowhere here; a channel of none but such serves nobody. */
  const inKnownGroups = (channel: MovedChannel): MovedChannel => {
    const groups = channel.group.split(',').map((group) => group.trim())
    const known = groups.filter((group) => group !== '' && groupExists(group))
    return { ...channel, group: known.length === 0 ? channel.group : known.join(',') }
  }

  const choose = (channel: MovedChannel): Chosen[] => {
    try {
      return [{ channel, row: target.channelRow(inKnownGroups(channel), groupExists) }]
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      notes.note('channel_refused', `${channel.name}: ${error.code}`)
      return []
    }
  }

  const keyStates = (id: number, { type, key, keyStatus }: MovedChannel) =>
    target.keysOf(type, key).flatMap((text, index) => {
      const status = keyStatus.get(index)
      if (status === undefined) return []
      return [{ channel_id: id, key_hash: secrets.digest('channel_key', text), status, reason: '', status_time: 0 }]
    })

  const insertAll = (chosen: readonly Chosen[]): Promise<void> =>
    database.transaction(async (trx) => {
      const made = new Map<string, number>()
      for (const { channel, row } of chosen) {
        const id = await insertReturningId(trx, 'channels', row)
        made.set(channel.sourceId, id)
        const states = keyStates(id, channel)
        if (states.length > 0) await database.insertMany('channel_keys', states, { trx })
      }
      await map.add(trx, 'channel', made)
      await openImported(database, trx, {
        channels: chosen.map(({ channel }) => ({
          id: made.get(channel.sourceId) ?? 0,
          usedQuota: channel.usedQuota,
        })),
        at: unixSeconds(target.clock),
        detail: {},
      })
    })

  return {
    async write(channels: readonly MovedChannel[]): Promise<void> {
      const known = await map.known(
        'channel',
        channels.map(({ sourceId }) => sourceId),
      )
      const chosen = channels.filter(({ sourceId }) => !known.has(sourceId)).flatMap(choose)
      run.count('channel', { known: known.size, carried: chosen.length })
      if (run.dryRun) {
        map.pretend(
          'channel',
          chosen.map(({ channel }) => channel.sourceId),
        )
      } else if (chosen.length > 0) await insertAll(chosen)
    },
  }
}
