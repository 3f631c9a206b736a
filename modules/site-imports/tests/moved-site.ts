import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SiteImportReport } from '@tollgate/contract'
import { onTestFinished } from 'vitest'
import { openRightsSite, type RightsSite } from '#server-test/rights/site.ts'
import { runImportCommand } from '../server/import-command.ts'

/** A folder of a gateway that another one's database is moved into. */
export interface MovedSite {
  /** Runs `tollgate import … --json` and answers its exit code and report. */
  import(...args: readonly string[]): Promise<{ code: number; report: SiteImportReport }>
  /** Starts the gateway on the folder. */
  open(): Promise<RightsSite>
}

/** A SQLite file with these statements in it, removed after the test. */
export const sqliteFile = async (statements: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-source-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'source.db')
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
  return path
}

export const newMovedSite = async (environment: Readonly<Record<string, string>> = {}): Promise<MovedSite> => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-target-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const own = { DATA_DIR: dataDir, CRYPTO_SECRET: 'a secret for tests', ...environment }
  return {
    async import(...args) {
      const lines: string[] = []
      const code = await runImportCommand([...args, '--json'], own, {
        print: (line) => lines.push(line),
        printError: (line) => lines.push(line),
      })
      return { code, report: JSON.parse(lines.join('\n')) }
    },
    open: () => openRightsSite(own),
  }
}

export const randomName = (): string => `tollgate_${randomBytes(6).toString('hex')}`
