import type { Secrets } from '../../lib/security/secrets.ts'
import type { Database } from '../database.ts'
import { type SecretColumn, type StoredSecret, secretColumns } from './stored-secrets.ts'

/** Counts of a column's values. */
export interface ColumnCount {
  readonly table: string
  readonly column: string
  readonly total: number
  /** Encrypted anew by this run. */
  readonly changed: number
  /** Still encrypted with a previous secret. */
  readonly left: number
  /** That no known secret opens. */
  readonly unreadable: number
}

const reencrypted = (secrets: Secrets, { purpose, cipherText }: StoredSecret): string | undefined => {
  try {
    return secrets.encrypt(purpose, secrets.decrypt(purpose, cipherText))
  } catch {
    return undefined
  }
}

interface Change {
  readonly secret: StoredSecret
  readonly cipherText: string
}

/** Writes a page of changes in one short transaction; answers how many were written without a conflict. */
const writePage = (database: Database, column: SecretColumn, changes: readonly Change[]): Promise<number> =>
  database.transaction(async (trx) => {
    let written = 0
    for (const { secret, cipherText } of changes) if (await column.replace(trx, secret, cipherText)) written += 1
    return written
  })

type Rotation = { readonly database: Database; readonly secrets: Secrets; readonly write: boolean }

const rotateColumn = async (column: SecretColumn, { database, secrets, write }: Rotation): Promise<ColumnCount> => {
  const count = { total: 0, changed: 0, left: 0, unreadable: 0 }
  let after: string | number | undefined
  do {
    const { secrets: page, next } = await column.page(database, after)
    count.total += page.length
    const older = page.filter(({ purpose, cipherText }) => !secrets.isCurrent(purpose, cipherText))
    const changes = older.flatMap((secret) => {
      const cipherText = reencrypted(secrets, secret)
      return cipherText === undefined ? [] : [{ secret, cipherText }]
    })
    count.unreadable += older.length - changes.length
    const changed = write && changes.length > 0 ? await writePage(database, column, changes) : 0
    count.changed += changed
    count.left += changes.length - changed
    after = next
  } while (after !== undefined)
  return { table: column.table, column: column.column, ...count }
}

/**
 * Encrypts everything that is stored with the secret of today, row by row: nodes go on meanwhile, and a run that was broken off
 * is begun again. Without `write` it only counts. A row that is changed at the same moment is left for the next run.
 */
export const rotateSecrets = async (rotation: Rotation): Promise<ColumnCount[]> => {
  const counts: ColumnCount[] = []
  for (const column of secretColumns) counts.push(await rotateColumn(column, rotation))
  return counts
}
