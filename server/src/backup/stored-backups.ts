import type { StoragePlace } from '../lib/places/storage-place.ts'

export interface StoredBackup {
  readonly name: string
  /** Unix seconds, from its name. */
  readonly at: number
}

const named = /^tollgate-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup\.gz(\.age)?$/

/** The name of a backup of this moment, in unix seconds. */
export const backupName = (at: number, isEncrypted: boolean): string => {
  const moment = new Date(at * 1000).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
  return `tollgate-${moment}.backup.gz${isEncrypted ? '.age' : ''}`
}

/** The backups at a place, the newest first; other files are none of ours. */
export const backupsAt = async (place: Pick<StoragePlace, 'names' | 'remove'>): Promise<readonly StoredBackup[]> =>
  (await place.names())
    .flatMap((name): StoredBackup[] => {
      const parts = named.exec(name)
      if (parts === null) return []
      const [, year, month, day, hour, minute, second] = parts.map(Number)
      return [{ name, at: Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second) / 1000 }]
    })
    .sort((a, b) => b.at - a.at)

/** Removes all but the `keep` newest backups; answers their names. */
export const removeOld = async (
  place: Pick<StoragePlace, 'names' | 'remove'>,
  keep: number,
): Promise<readonly string[]> => {
  const old = (await backupsAt(place)).slice(keep).map(({ name }) => name)
  for (const name of old) await place.remove(name)
  return old
}

/** A single backup by its address: the place and its name there. */
export const splitAddress = (address: string): { place: string; name: string } => {
  const cut = address.lastIndexOf('/')
  return cut < 0 ? { place: '.', name: address } : { place: address.slice(0, cut) || '/', name: address.slice(cut + 1) }
}
