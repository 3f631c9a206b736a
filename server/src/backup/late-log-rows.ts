import { setTimeout as sleep } from 'node:timers/promises'
import { ownMember } from '@tollgate/contract/own-member'
import { sql } from 'kysely'
import type { DatabaseAddress } from '../db/database.ts'
import { openDatabase } from '../db/engines/open.ts'
import { asCell, type BackupCell, type BackupTable } from './snapshots/snapshot.ts'

/** A charge of so many seconds ago has its row in the log, or never gets one. */
const youngSeconds = 900
const idsAtOnce = 500
const patienceMs = 5_000
const lookAgainMs = 250

export interface LateLogRows {
  /** Notes which charges and rows of the log a copy has; all rows of these tables pass through here, and tables without any. */
  see(table: BackupTable, rows: readonly (readonly BackupCell[])[]): void
  /** Reads what is missing; waits for it for some seconds, since a gateway that has ended writes nothing more. Undefined for nothing. */
  read(): Promise<{ readonly table: BackupTable; readonly rows: readonly (readonly BackupCell[])[] } | undefined>
}

/**
 * A row of the log is written a moment after its charge, so a copy of one moment has charges whose rows are not there yet.
 * They are read where the log lives, once the rest of the copy is written. `at` is the moment of the copy in unix seconds.
 */
export const openLateLogRows = (address: DatabaseAddress, at: number): LateLogRows => {
  const begins = at - youngSeconds
  const charges = new Map<string, number>()
  const logged = new Set<string>()
  const gaps: { from: number; until: number }[] = []
  let logs: BackupTable | undefined

  /** Answers the cell of a row in a column. */
  const cellsOf =
    ({ columns }: BackupTable) =>
    (row: readonly BackupCell[], column: string): BackupCell =>
      row[columns.indexOf(column)] ?? null

  const missing = (): readonly string[] =>
    [...charges]
      .filter(([id, when]) => !logged.has(id) && !gaps.some(({ from, until }) => when >= from && when < until))
      .map(([id]) => id)

  const found = async (table: BackupTable, ids: readonly string[]): Promise<BackupCell[][]> => {
    const database = await openDatabase({ ...address, pool: 1 })
    try {
      const columns = sql.join(table.columns.map((column) => sql.ref(column)))
      for (const began = performance.now(); ; await sleep(lookAgainMs)) {
        const rows: BackupCell[][] = []
        for (let start = 0; start < ids.length; start += idsAtOnce) {
          const some = ids.slice(start, start + idsAtOnce)
          const answer = await sql<Record<string, unknown>>`
            select ${columns} from logs where request_id in (${sql.join(some)})`.execute(database.query)
          rows.push(...answer.rows.map((row) => table.columns.map((column) => asCell(ownMember(row, column)))))
        }
        if (rows.length === ids.length || performance.now() - began > patienceMs) return rows
      }
    } finally {
      await database.close()
    }
  }

  return {
    see(table, rows) {
      const cell = cellsOf(table)
      if (table.name === 'logs') logs = table
      for (const row of rows) {
        const when = Number(cell(row, 'created_at'))
        if (table.name === 'log_gaps')
          gaps.push({ from: Number(cell(row, 'from_time')), until: Number(cell(row, 'until_time')) })
        else if (when < begins) continue
        else if (table.name === 'logs') logged.add(String(cell(row, 'request_id')))
        else if (cell(row, 'account') === 'user' && cell(row, 'reason') === 'charge')
          charges.set(String(cell(row, 'movement')), when)
      }
    },
    async read() {
      const ids = missing()
      if (logs === undefined || ids.length === 0) return undefined
      const rows = await found(logs, ids)
      const cell = cellsOf(logs)
      const next = rows.reduce((most, row) => Math.max(most, Number(cell(row, 'id')) + 1), logs.nextId ?? 1)
      return rows.length === 0 ? undefined : { table: { ...logs, nextId: next }, rows }
    },
  }
}
