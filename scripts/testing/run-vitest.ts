import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { outsideErrorsIn } from './outside-errors.ts'
import type { VitestReport } from './vitest-report.ts'

/** Passes whole lines on: two runs write at once. */
const passLines = (from: Readable, print: (text: string) => void): void => {
  let rest = ''
  from.setEncoding('utf8')
  from.on('data', (part: string) => {
    const text = rest + part
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (end > 0) print(text.slice(0, end))
  })
  from.on('end', () => {
    if (rest !== '') print(`${rest}\n`)
  })
}

const endOf = async (child: ChildProcess): Promise<number | null> => {
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

export interface VitestRun {
  readonly args: readonly string[]
  /** Paths from the root of the files to run; all files where it is left out. */
  readonly files?: readonly string[]
  /** Engines of the suites that run on every engine; all that can be reached where it is left out. */
  readonly engines?: string
}

/**
 * Runs vitest in the folder `root` and reads its report, which it writes to the file `report`; undefined where it left none.
 */
export const runVitest = async (
  { args, files, engines }: VitestRun,
  { root, report, print }: { root: string; report: string; print: (text: string) => void },
): Promise<VitestReport | undefined> => {
  const list = `${report}.files`
  const outside = `${report}.outside`
  if (files !== undefined) writeFileSync(list, files.join('\n'))
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...args,
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(import.meta.dirname, 'outside-errors.ts')}`,
      `--outputFile.json=${report}`,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        OUTSIDE_ERRORS: outside,
        ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
        ...(files === undefined ? {} : { TEST_FILES: list }),
        ...(engines === undefined ? {} : { TEST_ENGINES: engines }),
      },
    },
  )
  passLines(child.stdout, print)
  passLines(child.stderr, print)
  const code = await endOf(child)
  if (!existsSync(report)) return undefined
  const read = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  // The report of vitest has no errors outside the tests.
  return { ...read, success: read.success && code === 0, outside: outsideErrorsIn(outside) }
}
