import { join } from 'node:path'
import { adoptJournals, journalDirectory } from '../journal/adopt-journals.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import type { Log } from '../lib/log.ts'
import type { Epoch } from './epoch/stored-epoch.ts'
import { openRedisAccounts } from './holds/holds-redis.ts'
import { openSharedAccounts, type SharedAccountsParts } from './holds/shared-accounts.ts'
import { type Ledger, type LedgerParts, openLedger } from './ledger.ts'
import { openRefusedStore, refusedDirectory } from './refused/store.ts'

/** Settings of a node that its journal and ledger depend on. */
export interface LedgerSettings {
  readonly dataDir: string
  readonly worker: number
  readonly workers: number
  readonly nodeName: string
  readonly redis: string | undefined
  readonly journalSync: NonNullable<Parameters<typeof openJournal>[0]['sync']>
  readonly maxWaitingRecords: number
}

export interface JournaledLedgerParts extends Pick<LedgerParts, 'database' | 'logDatabase' | 'options'> {
  readonly config: LedgerSettings
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly epoch: Epoch
  /** The process that supervises this worker; undefined where the node is one process. */
  readonly primary: Pick<SharedAccountsParts, 'openStore'> | undefined
}

type Warn = (message: string, fields?: Readonly<Record<string, unknown>>) => void

/** Balances and reservations that several nodes, or several workers, share; undefined where this process is alone. */
const sharedAccounts = (
  { redis: url, nodeName }: LedgerSettings,
  primary: Pick<SharedAccountsParts, 'openStore'> | undefined,
  shared: { epoch: Epoch; warn: Warn },
): LedgerParts['openAccounts'] => {
  if (url !== undefined) return (parts) => openRedisAccounts({ ...parts, ...shared, url, nodeName })
  if (primary === undefined) return undefined
  return (parts) => openSharedAccounts({ ...parts, ...shared, nodeName, openStore: primary.openStore })
}

export interface JournaledLedger {
  readonly journal: Journal
  readonly ledger: Ledger
}

/** Opens the journal of this process and the ledger that it goes into. */
export const openJournaledLedger = async ({
  config,
  log,
  database,
  logDatabase,
  options,
  primary,
  epoch,
}: JournaledLedgerParts): Promise<JournaledLedger> => {
  const warn: Warn = (message, fields) => log.warn(message, fields)
  if (config.worker === 1) await adoptJournals({ dataDir: config.dataDir, workers: config.workers, warn })
  const journal = await openJournal({
    directory: journalDirectory(config.dataDir, config.worker),
    sync: config.journalSync,
    warn,
  })
  const ledger = await openLedger({
    database,
    logDatabase,
    journal,
    options,
    warn,
    error: (event, fields) => log.error(event, fields),
    refused: openRefusedStore(join(config.dataDir, refusedDirectory)),
    openAccounts: sharedAccounts(config, primary, { epoch, warn }),
    mostWaiting: config.maxWaitingRecords,
  })
  return { journal, ledger }
}
