import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../config/config.ts'
import { version } from '../config/version.ts'
import type { DatabaseAddress } from '../db/database.ts'
import { parseDatabaseAddress } from '../db/engines/address.ts'
import { silentLog } from '../lib/log.ts'
import { openBus } from '../lib/redis/bus.ts'
import { loadEnvironmentFile } from '../lib/security/secret-files.ts'
import { askNodes } from '../telemetry/live/ask-nodes.ts'
import type { NodeReport } from '../telemetry/live/node-report.ts'
import { checkUpgrade, pendingOf, type UpgradeReport } from './check-upgrade.ts'

/** A sentence about the nodes and their versions. */
export const nodesText = (reports: readonly Pick<NodeReport, 'name' | 'version' | 'state'>[]): string => {
  if (reports.length === 0) return 'No node answers over Redis: all are stopped, or they use another one.'
  const versions = new Set(reports.map(({ version }) => version))
  const list = reports.map(({ name, version, state }) => `${name} ${version}${state === 'ready' ? '' : ` (${state})`}`)
  return `Nodes that run: ${list.join(', ')}.${versions.size > 1 ? ' They are of several versions.' : ''}`
}

/** Asks the nodes that share a Redis for their versions. Without one there is a single node, which this does not see. */
export const runningNodes = async (redis: string | undefined): Promise<string> => {
  if (redis === undefined) return 'Without REDIS_CONN_STRING there is one node, which is not asked for its version.'
  const bus = openBus({ redis, nodeName: 'upgrade', log: silentLog })
  try {
    return nodesText(await askNodes(bus))
  } finally {
    await bus.close()
  }
}

const usage = `Usage: tollgate upgrade --check [--copy <address>]

  --check            tries the steps of this version on a copy of the database, which may be in use, and changes nothing else
  --copy <address>   an empty database for the copy, in the forms of SQL_DSN (default: a SQLite file that is removed afterwards)

A start of this version makes the steps by itself; there is no command for that. Times are those of the copy: name one of the same engine and a
similar machine. The copy of a log database of its own (LOG_SQL_DSN) is not tried.`

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** The report for people. */
export const upgradeText = ({ rows, copyMs, steps, changes }: UpgradeReport): string => {
  const total = steps.reduce((sum, { ms }) => sum + ms, 0)
  const list = (title: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`${title}: ${names.join(', ')}`]
  return [
    `${rows} rows were copied in ${seconds(copyMs)}.`,
    ...steps.map(({ name, ms }) => `  ${name}  ${seconds(ms)}`),
    `All ${steps.length} took ${seconds(total)}; a node that starts waits so long, and tables that change are locked meanwhile.`,
    ...list('New tables', changes.newTables),
    ...list('New columns', changes.newColumns),
    ...list('The version before cannot work with the tables afterwards', changes.breaking),
    changes.breaking.length === 0
      ? 'Nothing is taken from the tables that the version before uses.'
      : 'Stop all nodes of the version before first.',
  ].join('\n')
}

const withCopy = async <T>(address: string | undefined, work: (to: DatabaseAddress) => Promise<T>): Promise<T> => {
  if (address !== undefined) return work({ ...parseDatabaseAddress(address, address), pool: 2 })
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-upgrade-'))
  try {
    const file = join(folder, 'copy.db')
    const result = await work({ engine: 'sqlite', url: file, pool: 1 })
    process.stderr.write(`The copy took ${(statSync(file).size / 1_000_000).toFixed(1)} MB.\n`)
    return result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `tollgate upgrade --check`: says what a start of this version would do to the database. Answers the exit code. */
export const runUpgradeCommand = async (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
  print: (line: string) => unknown = (line) => process.stdout.write(`${line}\n`),
): Promise<number> => {
  const { values } = parseArgs({
    args: [...args],
    options: { check: { type: 'boolean' }, copy: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help === true || values.check !== true) {
    print(usage)
    return values.help === true ? 0 : 1
  }
  loadEnvironmentFile()
  const { database, redis } = readConfig(environment)
  print(`This version: ${version}, on Node.js ${process.version}.`)
  print(await runningNodes(redis))
  const pending = await pendingOf(database)
  if (pending.length === 0) {
    print('The database is at this version already: nothing to do.')
    return 0
  }
  print(upgradeText(await withCopy(values.copy, (to) => checkUpgrade(database, to))))
  return 0
}
