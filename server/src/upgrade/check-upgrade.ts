import { createGunzip } from 'node:zlib'
import { restoreBackup } from '../backup/restore-backup.ts'
import { openBackup } from '../backup/write-backup.ts'
import { version } from '../config/version.ts'
import type { Database, DatabaseAddress } from '../db/database.ts'
import { openDatabase } from '../db/engines/open.ts'
import { migrateStepwise, pendingSteps } from '../db/migrate.ts'
import { type SchemaChanges, schemaChanges, shapeOf } from './schema-changes.ts'

/** Effects of a database's upgrade, tried on a copy. */
export interface UpgradeReport {
  readonly rows: number
  readonly copyMs: number
  /** Steps in their order, with the time that each took on the copy. */
  readonly steps: readonly { readonly name: string; readonly ms: number }[]
  readonly changes: SchemaChanges
}

/** Steps that a start of this version would make. @throws Error where a newer version has changed the database. */
export const pendingOf = async (address: DatabaseAddress): Promise<readonly string[]> => {
  const database = await openDatabase(address)
  try {
    return await pendingSteps(database)
  } finally {
    await database.close()
  }
}

const copyInto = async (from: DatabaseAddress, copy: Database): Promise<number> => {
  const at = Math.floor(Date.now() / 1000)
  const backup = await openBackup({ database: from, logDatabase: undefined, version, at })
  const plain = createGunzip()
  backup.bytes.on('error', (error) => plain.destroy(error))
  try {
    const { rows } = await restoreBackup(backup.bytes.pipe(plain), { database: copy, logDatabase: copy }, 'as it was')
    return rows
  } finally {
    await backup.close()
  }
}

/** Copies a database, which may be in use, into an empty one, and makes there the steps of this version. */
export const checkUpgrade = async (from: DatabaseAddress, to: DatabaseAddress): Promise<UpgradeReport> => {
  const copy = await openDatabase(to)
  try {
    const begun = performance.now()
    const rows = await copyInto(from, copy)
    const copyMs = performance.now() - begun
    const before = await shapeOf(copy)
    const steps = await migrateStepwise(copy)
    return { rows, copyMs, steps, changes: schemaChanges(before, await shapeOf(copy)) }
  } finally {
    await copy.close()
  }
}
