import { existsSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type ImportProduct, importProducts, type SiteImportReport } from '@tollgate/contract'
import { openStoredSite } from '#server/app/modules/stored-site.ts'
import { parseDatabaseAddress } from '#server/db/engines/address.ts'
import { type NamedClaim, type NamedJob, openNamedJobs } from '#server/jobs/named-jobs.ts'
import { openJobRunner } from '#server/jobs/runner.ts'
import { systemClock } from '#server/lib/clock.ts'
import { loadEnvironmentFile } from '#server/lib/security/secret-files.ts'
import { aliveEveryMs, runImport, siteImportJob } from './import-run.ts'
import type { SiteImport } from './import-site.ts'
import { importTarget } from './import-target.ts'
import { reportText } from './report-text.ts'
import { openSource } from './source/open-source.ts'
import type { SourcePlace } from './source/place.ts'

const usage = `Usage: tollgate import ${importProducts.join('|')} --from <address> [options]

  --from <address>   a SQLite file, mysql://user:password@host/name, user:password@tcp(host:3306)/name
                     or postgres://user:password@host/name
  --dry-run          says what would be moved, and writes nothing
  --logs             moves the log of calls, too
  --site <name>      another name for each site, where several of one product are moved (default: the product)
  --json             prints the report as JSON

The database of this gateway is the one that \`tollgate serve\` would use (SQL_DSN, DATA_DIR …). Channel keys of LiteLLM
need its salt key in the variable LITELLM_SALT_KEY (or LITELLM_MASTER_KEY, where no salt key was set).`

/** Output streams for the report and for problems with the arguments. */
interface Output {
  readonly print: (text: string) => unknown
  readonly printError: (text: string) => unknown
}

/** Location of a source, from an address as people write it. Throws Error that never shows the password. */
export const sourcePlace = (text: string): SourcePlace => {
  if (existsSync(text) && statSync(text).isFile()) return { file: text }
  if (!/^\w+:/.test(text) && !text.includes('@')) return { file: text }
  const { engine, url } = parseDatabaseAddress(text, text)
  return engine === 'sqlite' ? { file: url } : { engine, url }
}

const openTarget = async (env: NodeJS.ProcessEnv) => {
  const site = await openStoredSite(env, 'import')
  const target = importTarget(site, async () => {
    site.publish('callers', 'token:0')
    site.publish('call_limits')
    site.publish('virtual_models')
  })
  return { target, close: site.close }
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const

const productOf = (name: string | undefined): ImportProduct | undefined =>
  importProducts.find((product) => product === name)

const whatIsWrong = (positionals: readonly string[], product: ImportProduct | undefined): string => {
  const [name] = positionals
  if (name === undefined) return 'Name the product.'
  if (product === undefined) return `There is no product "${name}".`
  return 'Name the database to read: --from <address>.'
}

/** Runs an import unless one runs already, on whichever node. */
const runOnce = async (target: ReturnType<typeof importTarget>, wanted: Omit<SiteImport, 'progress'>) => {
  const shown = process.stderr.isTTY
  let report: SiteImportReport | undefined
  let failure: unknown
  const runner = openJobRunner<NamedJob, NamedClaim>({
    store: openNamedJobs(target.database, systemClock).store([]),
    async work(_, run) {
      report = await runImport(run, {
        target,
        wanted,
        shown: (done, total) => void (shown && process.stderr.write(`\r${done}/${total}`)),
      })
    },
    aliveEveryMs,
    failed(error) {
      failure = error
    },
    clock: systemClock,
  })
  // The page under way is written, and the next run need not wait until this one counts as dead.
  const stop = (): void => void runner.stop()
  for (const signal of stopSignals) process.on(signal, stop)
  try {
    if (!(await runner.start({ id: siteImportJob }))) {
      throw new Error(
        'An import runs already. One that was killed counts as running for two minutes after its last page; then another goes on where it ended.',
      )
    }
    await runner.idle()
  } finally {
    for (const signal of stopSignals) process.off(signal, stop)
    if (shown) process.stderr.write('\r')
  }
  if (report === undefined) throw failure
  return report
}

/** `tollgate import`: answers 0, 1 where sums differ, 2 for arguments that mean nothing. */
export const runImportCommand = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  { print, printError }: Output = { print: console.log, printError: console.error },
): Promise<number> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      logs: { type: 'boolean', default: false },
      site: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const product = productOf(positionals[0])
  if (values.help) {
    print(usage)
    return 0
  }
  if (product === undefined || !values.from) {
    printError(`${whatIsWrong(positionals, product)}\n\n${usage}`)
    return 2
  }
  loadEnvironmentFile()
  const place = sourcePlace(values.from)
  // A source that cannot be read leaves no new database behind.
  await (await openSource(place)).close()
  const { target, close } = await openTarget(env)
  try {
    const report = await runOnce(target, {
      product,
      place,
      site: values.site ?? product,
      dryRun: values['dry-run'],
      logs: values.logs,
      saltKey: env.LITELLM_SALT_KEY ?? env.LITELLM_MASTER_KEY ?? '',
    })
    const reader = /^zh/i.test(env.LC_ALL ?? env.LANG ?? '') ? 'zh' : 'en'
    print(values.json ? JSON.stringify(report, undefined, 2) : reportText(report, reader))
    return report.sums.every(({ before, after }) => after === null || after === before) ? 0 : 1
  } finally {
    await close()
  }
}
