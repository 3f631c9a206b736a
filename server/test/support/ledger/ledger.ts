import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../../src/db/database.ts'
import { insertReturningId } from '../../../src/db/dialect.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { type Ledger, type LedgerParts, openLedger } from '../../../src/ledger/ledger.ts'
import { openRefusedStore } from '../../../src/ledger/refused/store.ts'
import { testUser } from '../db/rows.ts'

/** A ledger over a database for tests, with a journal of its own that outlives it. */
export interface TestLedger {
  readonly ledger: Ledger
  readonly journal: Journal
  /** Ends it as a crash would: what is not in the database stays in the journal. */
  crash(): Promise<void>
}

export const newJournalDirectory = async (): Promise<{ directory: string; remove(): Promise<void> }> => {
  const directory = await mkdtemp(join(tmpdir(), 'ledger-'))
  return {
    directory,
    async remove() {
      for (const path of [directory, `${directory}-refused`]) await rm(path, { recursive: true, force: true })
    },
  }
}

export const openTestLedger = async (
  database: Database,
  directory: string,
  more: Partial<LedgerParts> = {},
): Promise<TestLedger> => {
  const journal = await openJournal({ directory, segmentBytes: 100_000 })
  const refused = openRefusedStore(`${directory}-refused`)
  const ledger = await openLedger({
    database,
    refused,
    journal,
    options: { logConsume: () => true, logErrors: () => true, hourly: () => true },
    delayMs: 2,
    retryMs: 1,
    ...more,
  })
  await ledger.flush()
  return {
    ledger,
    journal,
    async crash() {
      await ledger.close()
      await journal.close()
    },
  }
}

let names = 0

/** A user with an opening balance. */
export const newUser = (database: Database, { movements }: Ledger, balance: number): Promise<number> =>
  database.transaction(async (trx) => {
    names += 1
    const row = { ...testUser(`user${names}`), quota: 0, used_quota: 0, request_count: 0, aff_quota: 0 }
    const id = await insertReturningId(trx, 'users', { ...row, aff_history_quota: 0, aff_code: `code${names}` })
    await movements.open(trx, { account: 'user', id }, balance)
    return id
  })

/** A token with an opening balance. */
export const newToken = (
  database: Database,
  { movements }: Ledger,
  token: { userId: number; remain: number; unlimited?: boolean },
): Promise<number> =>
  database.transaction(async (trx) => {
    names += 1
    const id = await insertReturningId(trx, 'tokens', {
      user_id: token.userId,
      key_hash: `hash${names}`,
      key_cipher: '',
      key_hint: '',
      status: 1,
      name: `token${names}`,
      created_time: 0,
      accessed_time: 0,
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: token.unlimited === true ? 1 : 0,
      model_limits_enabled: 0,
      model_limits: '',
      allow_ips: '',
      used_quota: 0,
      group: '',
      deleted_at: null,
    })
    await movements.open(trx, { account: 'token', id }, token.remain)
    return id
  })
