import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { openJournal } from '../../journal/journal.ts'
import { AppError } from '../../lib/app-error.ts'
import { endWith } from '../../lib/commands/command.ts'
import { loadEnvironmentFile } from '../../lib/security/secret-files.ts'
import { type Epoch, openEpoch } from '../epoch/stored-epoch.ts'
import { openRedisAccounts } from '../holds/holds-redis.ts'
import { type LedgerParts, openLedger } from '../ledger.ts'
import { openRefusedStore, type RefusedRequest, refusedDirectory } from './store.ts'

const usage = `Usage: tollgate refused list             names the records that the database refused
       tollgate refused show <id>        prints one, with its texts
       tollgate refused retry <id>|all   writes them again; the server must be stopped (while it runs, use the console)`

const line = ({ record, step, isCharged, reason, retries }: RefusedRequest): string =>
  `${record.id}  ${new Date(record.at).toISOString()}  user ${record.userId}  ${record.model}  quota ${record.quota}` +
  `  ${isCharged ? 'charged' : 'NOT CHARGED'}  refused with its ${step}  retries ${retries}: ${reason}`

const switchedOff = async ({ query }: Database): Promise<ReadonlySet<string>> => {
  const rows = await query.selectFrom('options').select('key').where('value', '=', 'false').execute()
  return new Set(rows.map(({ key }) => key))
}

/** Other nodes must learn what is charged here. */
const redisAccounts = ({ redis, nodeName }: Config, epoch: Epoch): LedgerParts['openAccounts'] =>
  redis === undefined
    ? undefined
    : (parts) => openRedisAccounts({ ...parts, url: redis, epoch, nodeName, warn: (event) => console.error(event) })

/** The journal's lock keeps this from running beside the server, which has the balances in memory. */
const retryAll = async (ids: readonly string[]): Promise<number> => {
  const config = readConfig(process.env)
  const store = openRefusedStore(join(config.dataDir, refusedDirectory))
  const journal = await openJournal({ directory: join(config.dataDir, 'journal') })
  const database = await openDatabase(config.database)
  const logDatabase = config.logDatabase === undefined ? database : await openDatabase(config.logDatabase)
  const off = await switchedOff(database)
  const ledger = await openLedger({
    database,
    logDatabase,
    journal,
    refused: store,
    options: {
      logConsume: () => !off.has('LogConsumeEnabled'),
      logErrors: () => !off.has('ErrorLogEnabled'),
      hourly: () => !off.has('DataExportEnabled'),
    },
    openAccounts: redisAccounts(config, await openEpoch(database)),
  })
  let failures = 0
  try {
    for (const id of ids) {
      try {
        await ledger.refused?.retry(id)
        console.log(`${id}: written`)
      } catch (error) {
        failures += 1
        console.error(`${id}: ${error instanceof AppError ? error.message : String(error)}`)
      }
    }
  } finally {
    await ledger.flush()
    await ledger.close()
    await journal.close()
    if (logDatabase !== database) await logDatabase.close()
    await database.close()
  }
  return failures === 0 ? 0 : 1
}

/** `tollgate refused`: lists, prints and retries refused records; answers 1 when something is wrong, 2 for an action that does not exist. */
export const runRefusedCommand = async ([action = 'list', id]: readonly string[]): Promise<number> => {
  if (action === '--help' || action === '-h') {
    console.log(usage)
    return 0
  }
  loadEnvironmentFile()
  const directory = join(readConfig(process.env).dataDir, refusedDirectory)
  const store = existsSync(directory) ? openRefusedStore(directory) : undefined
  const ids = (await store?.ids()) ?? []
  if (action === 'list') {
    for (const one of ids) {
      const refused = await store?.find(one)
      console.log(refused === undefined ? `${one}: not readable` : line(refused))
    }
    console.log(`${ids.length} refused records in ${directory}.`)
    return 0
  }
  if (action === 'show' && id !== undefined) {
    const refused = await store?.find(id)
    if (refused === undefined) throw new Error(`There is no refused record ${id} in ${directory}.`)
    console.log(JSON.stringify({ ...refused, record: { ...refused.record, segment: undefined } }, null, 2))
    return 0
  }
  if (action === 'retry' && id !== undefined) return retryAll(id === 'all' ? ids : [id])
  console.error(usage)
  return 2
}

if (import.meta.main) await endWith(() => runRefusedCommand(process.argv.slice(2)))
