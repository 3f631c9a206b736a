import type { LogCursor, LogFilter } from '#server/features/logs/filter.ts'
import type { OlderReading } from '#server/features/logs/older/older-reading.ts'
import type { LogRow, LogSlice, LogStore } from '#server/features/logs/store.ts'
import type { ArchivedLogs, LogOrder } from './archived-logs.ts'

/** A reader that waits for a list rather has the newer part of it than an error. */
const orNothing = async <T>(
  read: () => Promise<T>,
  nothing: T,
  reading: OlderReading | undefined,
  failed: (error: unknown) => void,
): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (reading === undefined) throw error
    reading.problem = 'unavailable'
    failed(error)
    return nothing
  }
}

const isBefore = (order: LogOrder) => (left: LogCursor, right: LogCursor) =>
  (order === 'newest' ? 1 : -1) * (right.createdAt - left.createdAt || right.id - left.id)

/** Each row once: those of a file that is being archived are in the database, too. */
const joined = (order: LogOrder, ...lists: readonly (readonly LogCursor[])[]): LogCursor[] =>
  [...new Map(lists.flat().map((place) => [place.id, place])).values()].sort(isBefore(order))

/**
 * The log in the database together with its archived months. Without `reading`, what cannot be read is an error, so that an
 * export is whole or none.
 * @param failed is called with what went wrong where a list goes on without the archive
 */
export const withArchive = (live: LogStore, archived: ArchivedLogs, failed: (error: unknown) => void): LogStore => {
  const places = async (
    filter: LogFilter,
    slice: LogSlice,
    order: LogOrder = 'newest',
    reading?: OlderReading,
  ): Promise<LogCursor[]> => {
    const offset = slice.after === undefined ? slice.offset : 0
    const parts = await archived.partsOf(filter)
    const found = await live.places(filter, slice, order)
    const newest = parts[0]
    const last = found.at(-1)
    const isFull = found.length >= slice.limit && last !== undefined
    if (newest === undefined || (order === 'newest' && isFull && last.createdAt > newest.last_time)) return found
    const all = { ...slice, offset: 0, limit: slice.limit + offset }
    const [rows, filed] = await Promise.all([
      offset === 0 ? found : live.places(filter, all, order),
      orNothing(() => archived.places(filter, all, order, reading), [], reading, failed),
    ])
    return joined(order, rows, filed).slice(offset, offset + slice.limit)
  }

  const rowsAt = async (wanted: readonly LogCursor[], reading?: OlderReading): Promise<LogRow[]> => {
    const rows = new Map((await live.rowsAt(wanted)).map((row) => [row.id, row]))
    const missing = wanted.filter(({ id }) => !rows.has(id))
    const filed = missing.length === 0 ? [] : await orNothing(() => archived.rowsAt(missing), [], reading, failed)
    for (const row of filed) rows.set(row.id, row)
    return wanted.flatMap(({ id }) => rows.get(id) ?? [])
  }

  return {
    ...live,
    places,
    rowsAt: (wanted) => rowsAt(wanted),
    find: async (filter, slice, order, reading) => rowsAt(await places(filter, slice, order, reading), reading),
    row: async (id) => (await live.row(id)) ?? archived.row(id),
    async findSorted(filter, sort, { offset, limit }, reading) {
      const { among } = sort
      const inDatabase = await live.count(filter, among)
      if (inDatabase >= among || (await archived.partsOf(filter)).length === 0)
        return live.findSorted(filter, sort, { offset, limit })
      const most = offset + limit
      const [rows, filed] = await Promise.all([
        live.findSorted(filter, sort, { offset: 0, limit: most }),
        orNothing(
          () => archived.sorted(filter, { ...sort, among: among - inDatabase }, most, reading),
          [],
          reading,
          failed,
        ),
      ])
      const turn = sort.descending ? 1 : -1
      return [...new Map([...filed, ...rows].map((row) => [row.id, row])).values()]
        .sort((left, right) => turn * (right[sort.column] - left[sort.column] || right.id - left.id))
        .slice(offset, most)
    },
    async count(filter, cap, reading) {
      const counted = await live.count(filter, cap)
      if (counted >= cap) return counted
      const filed = await orNothing(() => archived.count(filter, cap - counted, reading), 0, reading, failed)
      return counted + filed
    },
    async quota(filter) {
      const [charged, filed] = await Promise.all([live.quota(filter), archived.quota(filter)])
      return charged + filed
    },
  }
}
