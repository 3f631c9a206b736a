import { reasonOf } from '#server/lib/reason-of.ts'
import { type SourcePlace, shownPlace } from './place.ts'
import type { Source } from './source.ts'

/** Opens another program's database for reading. Throws Error with the place, without its password, and the reason. */
export const openSource = async (place: SourcePlace): Promise<Source> => {
  try {
    if ('file' in place) return (await import('./sqlite-source.ts')).openSqliteSource(place.file)
    if (place.engine === 'mysql') return await (await import('./mysql-source.ts')).openMysqlSource(place)
    return await (await import('./postgres-source.ts')).openPostgresSource(place)
  } catch (error) {
    throw new Error(`Cannot read ${shownPlace(place)}: ${reasonOf(error)}`, { cause: error })
  }
}
