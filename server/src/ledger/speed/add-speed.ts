import type { Transaction } from 'kysely'
import { fitting } from '../../db/column-lengths.ts'
import { upsert } from '../../db/dialect.ts'
import type { SpeedCounts, Tables } from '../../db/schema.ts'
import type { CallGroup } from '../apply/call-groups.ts'
import { hashOf, inChunks } from '../usage/hours.ts'
import { entryOf } from '../usage/sums.ts'
import { addCounts, type Histogram, octaveSteps } from './histogram.ts'

/** The columns of a row of counts, first contents and ends. */
export const firstColumns = [
  'first_0',
  'first_1',
  'first_2',
  'first_3',
  'first_4',
  'first_5',
  'first_6',
  'first_7',
] as const satisfies readonly (keyof SpeedCounts)[]
export const totalColumns = [
  'total_0',
  'total_1',
  'total_2',
  'total_3',
  'total_4',
  'total_5',
  'total_6',
  'total_7',
] as const satisfies readonly (keyof SpeedCounts)[]

const siteOf = ({ like }: CallGroup) => ({
  channel_id: like.channelId,
  model_name: fitting('speed_hours', 'model_name', like.model),
  group: fitting('speed_hours', 'group', like.group),
})

const personalOf = (group: CallGroup) => ({
  user_id: group.like.userId,
  token_id: group.like.tokenId,
  ...siteOf(group),
})

interface Speed<D> {
  readonly at: number
  readonly dimensions: D
  readonly first: Histogram
  readonly total: Histogram
}

/** Names are cut to what a column holds, and may then be the same. */
const summed = <D extends object>(
  groups: readonly CallGroup[],
  dimensionsOf: (group: CallGroup) => D,
): readonly Speed<D>[] => {
  const sums = new Map<string, Speed<D>>()
  for (const group of groups) {
    if (group.speed === undefined) continue
    const dimensions = dimensionsOf(group)
    const place = `${group.hour}\0${Object.values(dimensions).join('\0')}`
    const sum = entryOf(sums, place, () => ({ at: group.hour, dimensions, first: new Map(), total: new Map() }))
    for (const [octave, counts] of group.speed.first) addCounts(sum.first, octave, counts)
    for (const [octave, counts] of group.speed.total) addCounts(sum.total, octave, counts)
  }
  return [...sums.values()]
}

const nothing: readonly number[] = new Array<number>(octaveSteps).fill(0)

const countsOf = (columns: readonly string[], counts: readonly number[] = nothing) =>
  columns.map((column, step) => [column, counts[step] ?? 0] as const)

/** A row for each octave that has a count. */
const rowsOf = <D extends object>({ at, dimensions, first, total }: Speed<D>) =>
  [...new Set([...first.keys(), ...total.keys()])].map((octave) => ({
    created_at: at,
    ...dimensions,
    octave,
    // The columns are those of the type by construction.
    ...(Object.fromEntries([
      ...countsOf(firstColumns, first.get(octave)),
      ...countsOf(totalColumns, total.get(octave)),
    ]) as Record<keyof SpeedCounts, number>),
  }))

const counted = [...firstColumns, ...totalColumns] as const

/** The same order in every transaction, so that nodes do not lock each other out. */
const inOrder = <Row extends object>(rows: readonly Row[], key: readonly (keyof Row)[]): readonly Row[] =>
  rows.toSorted((left, right) => {
    for (const column of key) {
      const [one, other] = [left[column], right[column]]
      if (one !== other) return one < other ? -1 : 1
    }
    return 0
  })

/** Adds to the histograms of how long calls took, in the transaction that adds their charges. */
export const addSpeed = async (trx: Transaction<Tables>, groups: readonly CallGroup[]): Promise<void> => {
  const personal = summed(groups, personalOf).flatMap((speed) => {
    const dimensions_hash = hashOf(speed.dimensions)
    return rowsOf(speed).map((row) => ({ ...row, dimensions_hash }))
  })
  const ofKey = ['created_at', 'dimensions_hash', 'octave'] as const
  await inChunks(inOrder(personal, ofKey), (rows) => upsert(trx, 'speed_hours', rows, { key: ofKey, add: counted }))
  const site = summed(groups, siteOf).flatMap(rowsOf)
  const ofSite = ['created_at', 'channel_id', 'model_name', 'group', 'octave'] as const
  await inChunks(inOrder(site, ofSite), (rows) => upsert(trx, 'speed_site_hours', rows, { key: ofSite, add: counted }))
}

/** A failed call that was logged, or one that is no longer counted. */
export interface FailureCount {
  readonly group: CallGroup
  /** One of `errorClasses`. */
  readonly class: string
  /** Negative where failures are taken back. */
  readonly count: number
}

/** Adds to the failures by class, in the transaction that counts them. */
export const addFailures = async (trx: Transaction<Tables>, failures: readonly FailureCount[]): Promise<void> => {
  const rows = new Map<string, ReturnType<typeof failureRow>>()
  for (const failure of failures) {
    const row = failureRow(failure)
    const place = `${row.created_at} ${row.dimensions_hash}`
    const sum = rows.get(place)
    if (sum === undefined) rows.set(place, row)
    else sum.count += row.count
  }
  const key = ['created_at', 'dimensions_hash'] as const
  await inChunks(inOrder([...rows.values()], key), (some) =>
    upsert(trx, 'failure_hours', some, { key, add: ['count'] }),
  )
}

const failureRow = ({ group, class: kind, count }: FailureCount) => {
  const dimensions = { ...personalOf(group), class: kind }
  return { created_at: group.hour, dimensions_hash: hashOf(dimensions), ...dimensions, count }
}
