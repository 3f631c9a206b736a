import type { ValueCounts } from '@tollgate/contract'

type NamesOf = (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>

/** Names of channels and users; deleted ones have none. */
export interface NameLookups {
  readonly channelNames: NamesOf
  readonly userNames: NamesOf
}

const idsOf = (ids: readonly number[]): number[] => [...new Set(ids.filter((id) => id > 0))]

/** Rows for operators, with the names of their channel and user; empty where these are gone. */
export const nameRows = async <Row extends { channel_id: number; user_id: number }>(
  rows: readonly Row[],
  { channelNames, userNames }: NameLookups,
): Promise<(Row & { channel_name: string; username: string })[]> => {
  const [channels, users] = await Promise.all([
    channelNames(idsOf(rows.map(({ channel_id }) => channel_id))),
    userNames(idsOf(rows.map(({ user_id }) => user_id))),
  ])
  return rows.map((row) => ({
    ...row,
    channel_name: channels.get(row.channel_id) ?? '',
    username: users.get(row.user_id) ?? '',
  }))
}

/** Values that are ids, with their names. An id of 0 stands for nothing and is left out. */
export const nameValues = async ({ values, capped }: ValueCounts, namesOf: NamesOf): Promise<ValueCounts> => {
  const counted = values.filter(({ value }) => value !== '0')
  const names = await namesOf(counted.map(({ value }) => Number(value)))
  return {
    values: counted.map(({ value, count }) => {
      const name = names.get(Number(value))
      return name === undefined ? { value, count } : { value, count, name }
    }),
    capped,
  }
}
