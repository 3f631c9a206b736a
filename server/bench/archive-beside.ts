import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../src/db/database.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { migrate } from '../src/db/migrate.ts'
import { drive, percentile } from './load.ts'
import { addressOf, fillWithLogs } from './many-logs.ts'
import { chatModel, openSite } from './operator.ts'
import { startGatewayOn } from './processes.ts'

const port = 31_987
const password = 'bench-password'
/** Calls per second. */
const rate = Number(process.env.BENCH_RATE ?? 300)
/** `BENCH_LOG_ROWS` rows of a year in `BENCH_LOG_URL`, an empty or absent database; half of them are deleted. */
const rows = Number(process.env.BENCH_LOG_ROWS ?? 600_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const yearDays = 365
const day = 86_400
const archiveAfterDays = 30
/** The server looks once a minute. */
const longestWaitMs = 90_000
const body = JSON.stringify({ model: chatModel, messages: [{ role: 'user', content: 'Say the word fifty times.' }] })

const fill = async (url: string): Promise<void> => {
  const database = await openDatabase({ ...addressOf(url), pool: 1 })
  await migrate(database)
  const some = await database.query.selectFrom('logs').select('id').limit(1).executeTakeFirst()
  if (some !== undefined) throw new Error('the database has a log; the bench deletes rows and wants one of its own')
  await fillWithLogs(database, { rows, end: Math.floor(Date.now() / 1000), days: yearDays })
  await database.close()
}

/** Root's calls of the console. */
const signIn = async () => {
  const base = `http://127.0.0.1:${port}`
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const login = await fetch(`${base}/api/user/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ username: 'root', password }),
  })
  const { data } = (await login.json()) as { data: { id: number } }
  headers.cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  headers['new-api-user'] = String(data.id)
  return async (method: string, path: string, sent?: object): Promise<void> => {
    const answer = await fetch(base + path, { method, headers, ...(sent ? { body: JSON.stringify(sent) } : {}) })
    const { success, message } = (await answer.json()) as { success: boolean; message: string }
    if (!success) throw new Error(`${method} ${path}: ${message}`)
  }
}

const until = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > longestWaitMs) throw new Error(`waited in vain until ${what}`)
    await sleep(200)
  }
}

const oldRows = async ({ query }: Database): Promise<number> => {
  const before = Math.floor(Date.now() / 1000) - archiveAfterDays * day
  const counted = await query
    .selectFrom('logs')
    .where('created_at', '<', before)
    .select(({ fn }) => fn.countAll().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(counted.rows)
}

/** p99 of each round and of all calls together, in milliseconds. */
const relay = async (key: string, name: string): Promise<void> => {
  const all: number[] = []
  const each: string[] = []
  let failures = 0
  for (let round = 0; round < rounds; round += 1) {
    const result = await drive({ port, key, body, concurrency: 32, seconds, rate })
    all.push(...result.latencies)
    each.push(percentile(result.latencies, 0.99).toFixed(1))
    failures += result.failures
  }
  all.sort((left, right) => left - right)
  const cells = [0.5, 0.99, 0.999].map((share) => percentile(all, share).toFixed(2).padStart(10)).join('')
  console.log(`${name.padEnd(30)}${cells}${String(failures).padStart(10)}   p99 by round: ${each.join(', ')}`)
}

/** The files of the log's module; the types of the database do not know its table. */
const archiveFiles = async ({ query }: Database): Promise<readonly { readonly finished_time: number | string }[]> =>
  (await sql<{ finished_time: number | string }>`select finished_time from log_archives`.execute(query)).rows

/**
 * The relay's latency alone, beside months that move to Parquet files, and beside rows that are deleted, in one gateway on one
 * database: p50, p99, p99.9 in milliseconds and failed calls.
 */
export const benchArchive = async (upstreamPort: number): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const url = process.env.BENCH_LOG_URL ?? join(directory, 'logs.db')
  await fill(url)
  const gateway = await startGatewayOn(url, { port, directory, password })
  const database = await openDatabase(addressOf(url))
  try {
    const key = await openSite(port, upstreamPort, password)
    const root = await signIn()
    const archiveAfter = (days: number) =>
      root('PUT', '/api/option/', { key: 'LogArchiveAfterDays', value: String(days) })
    const unfinished = join(directory, 'log-archive-unfinished')
    console.log(`\nRelay at ${rate} per second on ${database.engine}: p50, p99, p99.9 in ms, failures`)
    await drive({ port, key, body, concurrency: 32, seconds: 20, rate })
    await relay(key, 'alone')

    const before = await oldRows(database)
    await archiveAfter(archiveAfterDays)
    await until('a month is being archived', () => existsSync(unfinished))
    await relay(key, 'beside the archive')
    const after = await oldRows(database)
    if (after === 0) throw new Error('the archive was ready before the relay was measured; take more rows')
    const files = await archiveFiles(database)
    console.log(`  meanwhile ${before - after} rows went to ${files.length} files`)
    await archiveAfter(0)
    await until('the file is done', async () => {
      const running = (await archiveFiles(database)).filter(({ finished_time }) => Number(finished_time) === 0)
      return running.length === 0 && !existsSync(unfinished)
    })
    await relay(key, 'alone again')

    const left = await oldRows(database)
    await root('DELETE', `/api/log/?target_timestamp=${Math.floor(Date.now() / 1000) - archiveAfterDays * day}`)
    await relay(key, 'beside deletion')
    const still = await oldRows(database)
    console.log(`  meanwhile ${left - still} of ${left} rows were deleted`)
    if (still === left || still === 0) throw new Error('nothing was deleted, or all before the relay was measured')
  } finally {
    await database.close()
    await gateway.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
