import type { Database } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import { logRows } from '../logs/log-row.ts'
import { replaceFailures } from '../logs/replace-failures.ts'
import { addNamedHours } from '../sessions/add-named-hours.ts'
import { addFailures } from '../speed/add-speed.ts'
import { failureClassOf } from '../speed/failure-class.ts'
import { addUsage } from '../usage/hours.ts'
import { usageOf } from '../usage/usage-of.ts'
import { groupCalls, hourOf, noFigures } from './call-groups.ts'

interface LogPlaces {
  readonly database: Database
  readonly logDatabase: Database
}

/**
 * Writes log rows of finished requests, one each: a charge replaces a failure of the same request, in whichever order they arrive;
 * otherwise an existing row stays.
 */
export const writeLogs = async (places: LogPlaces, records: readonly JournalRecord[]): Promise<void> => {
  const charges = records.filter(({ kind }) => kind === 'charge')
  if (charges.length > 0) await writeCharges(places, charges)
  if (charges.length < records.length)
    await writeFailures(
      places,
      records.filter(({ kind }) => kind === 'error'),
    )
}

/** Almost always all of them are new: a conflict on the unique request id shows that one is not, and then existing rows are looked up. */
const writeCharges = async (places: LogPlaces, charges: readonly JournalRecord[]): Promise<void> => {
  try {
    await places.logDatabase.insertMany('logs', logRows(charges))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await replaceFailures(places, charges)
  }
}

/** Failures are counted where they are new: in one transaction with their rows, unless logs have a database of their own. */
const writeFailures = async (
  { database, logDatabase }: LogPlaces,
  records: readonly JournalRecord[],
): Promise<void> => {
  const failures = await notYetLogged(logDatabase, records)
  if (failures.length === 0) return
  const rows = logRows(failures)
  await database.transaction(async (trx) => {
    await addUsage(trx, usageOf(groupCalls(failures)))
    await addFailures(trx, failures.map(failureOf))
    await addNamedHours(trx, failures)
    if (logDatabase === database) await database.insertMany('logs', rows, { trx, skipExisting: true })
  })
  if (logDatabase !== database) await logDatabase.insertMany('logs', rows, { skipExisting: true })
}

const failureOf = (record: JournalRecord) => ({
  group: { like: record, hour: hourOf(Math.floor(record.at / 1000)), ...noFigures },
  class: failureClassOf(record.other),
  count: record.times ?? 1,
})

const notYetLogged = async (
  { query }: Database,
  records: readonly JournalRecord[],
): Promise<readonly JournalRecord[]> => {
  const ids = records.map(({ id }) => id)
  const written = await query.selectFrom('logs').select('request_id').where('request_id', 'in', ids).execute()
  const seen = new Set(written.map(({ request_id }) => request_id))
  return records.filter(({ id }) => !seen.has(id) && seen.add(id))
}
