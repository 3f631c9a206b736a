import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { StoragePlace } from '../../lib/places/storage-place.ts'
import { openDatabaseBytes } from './database-bytes.ts'
import { openObjectBytes } from './object-bytes.ts'
import type { ByteStore } from './pieces.ts'

/** Id of the database among the places. */
export const databasePlace = 0

export interface FilePlacesParts {
  readonly database: Database
  /** Of new files: a folder or `s3://bucket/prefix`; undefined for the database. */
  readonly address: string | undefined
  readonly openPlace: (address: string) => StoragePlace
  readonly clock: Clock
  /** Reports a place that cannot be used. */
  readonly failed: (error: unknown) => void
}

/** Places with the bytes of files. */
export interface FilePlaces {
  /** Place of new files. */
  current(): Promise<number>
  /** Throws AppError `kept_files_unavailable`, as its methods do, where the place cannot be reached or is not that of the files. */
  bytesAt(placeId: number): Promise<ByteStore>
  /** The place itself; none for the database. Throws what is wrong with it. */
  placeAt(placeId: number): Promise<StoragePlace>
  /** Reports a place that cannot be used. */
  failed(error: unknown): void
}

/** Object with the mark of a place. A folder that only one of two nodes sees has none of the other's. */
const markName = 'tollgate-files'
const longestMark = 64

/** Opens the places of files. Each is looked at once, when it is used first, for the mark that the database has of it. */
export const openFilePlaces = (parts: FilePlacesParts): FilePlaces => {
  const { database, address, openPlace, clock, failed } = parts
  const { query } = database
  const inDatabase = openDatabaseBytes(database)
  const checked = new Map<number, Promise<StoragePlace>>()

  /** Errors of places name hosts and folders, which are the operator's alone. */
  const available = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      failed(error)
      throw new AppError('kept_files_unavailable', { cause: error })
    })

  const rowOf = (id: number) => query.selectFrom('kept_file_places').selectAll().where('id', '=', id).executeTakeFirst()

  const idOf = async (ofPlace: string): Promise<number> => {
    const find = () =>
      query.selectFrom('kept_file_places').select('id').where('address', '=', ofPlace).executeTakeFirst()
    const found = await find()
    if (found !== undefined) return found.id
    const mark = randomBytes(16).toString('hex')
    const row = { address: ofPlace, mark, state: 'new', created_time: unixSeconds(clock) }
    await database.insertMany('kept_file_places', [row], { skipExisting: true })
    const { id } = (await find()) ?? { id: databasePlace }
    return id
  }

  const open = async (id: number): Promise<StoragePlace> => {
    const row = await rowOf(id)
    if (row === undefined) throw new Error(`no place of files has the number ${id}`)
    const place = openPlace(row.address)
    const mark = (await place.readRange(markName, { from: 0, end: longestMark }))?.toString()
    if (mark === row.mark && row.state !== 'new') return place
    if (mark !== undefined && mark !== row.mark)
      throw new Error(`${row.address} has the files of another database: choose a folder or prefix of its own`)
    if (row.state !== 'new')
      throw new Error(
        `${row.address} is not the place in which the files of this site are: all nodes must see the same folder or bucket`,
      )
    await place.put(markName, Buffer.from(row.mark))
    await query.updateTable('kept_file_places').set({ state: 'ready' }).where('id', '=', id).execute()
    return place
  }

  const placeAt = (id: number): Promise<StoragePlace> => {
    const known = checked.get(id)
    if (known !== undefined) return known
    const opened = open(id)
    checked.set(id, opened)
    opened.catch(() => checked.delete(id))
    return opened
  }

  return {
    async current() {
      if (address === undefined) return databasePlace
      return idOf(address)
    },
    async bytesAt(id) {
      if (id === databasePlace) return inDatabase
      const place = await available(placeAt(id))
      return openObjectBytes({
        put: (...object) => available(place.put(...object)),
        readRange: (...range) => available(place.readRange(...range)),
      })
    },
    placeAt,
    failed,
  }
}

/** The database as the only place. */
export const onlyDatabase = (database: Database): FilePlaces => ({
  current: async () => databasePlace,
  bytesAt: async () => openDatabaseBytes(database),
  placeAt: async (id) => {
    throw new Error(`files at the place ${id} cannot be read: no place beside the database is open`)
  },
  failed: () => {},
})
