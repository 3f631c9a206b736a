import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../lib/reason-of.ts'

/** Lines of counts on the disk of a node, so that a restart knows them. Of two lines on the same thing the later one counts. */
export interface CountFile {
  /** What was kept before, the oldest first; read once, at the start. */
  readonly kept: readonly string[]
  /** Is on the disk when it returns, as far as a crash of the process goes. A failure is logged and costs the lines. */
  append(lines: readonly string[]): void
  /** True when more was appended than is worth reading again. */
  isLong(): boolean
  /** Puts these lines in the place of all. */
  replace(lines: readonly string[]): void
}

export interface CountFileParts {
  /** Exists, and belongs to this node. */
  readonly directory: string
  /** From 1 on; each has a file, and the first takes over the files of workers that are no more. */
  readonly worker: number
  readonly workers: number
  readonly warn: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

const name = 'session-counts'
const others = /^session-counts-(\d{1,3})$/
/** Bytes; twice what the last replacement wrote counts where that is more. */
const longFrom = 4 * 1024 * 1024

const linesIn = (path: string): readonly string[] => {
  try {
    // A crash may have cut the last line.
    return readFileSync(path, 'utf8').split('\n').slice(0, -1)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const print = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Opens the file of a worker. Throws what the disk says. */
export const openCountFile = ({ directory, worker, workers, warn }: CountFileParts): CountFile => {
  const path = join(directory, worker === 1 ? name : `${name}-${worker}`)
  const abandoned =
    worker === 1 ? readdirSync(directory).filter((file) => Number(others.exec(file)?.[1] ?? 0) > workers) : []
  const kept = [path, ...abandoned.map((file) => join(directory, file))].flatMap(linesIn)
  let bytes = 0
  let most = longFrom

  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      warn('session_counts_not_kept', { reason: reasonOf(error) })
    }
  }

  const replace = (lines: readonly string[]): void =>
    attempt(() => {
      const text = print(lines)
      writeFileSync(`${path}.new`, text, { mode: 0o600 })
      renameSync(`${path}.new`, path)
      bytes = text.length
      most = Math.max(longFrom, 2 * bytes)
    })

  replace(kept)
  for (const file of abandoned) attempt(() => rmSync(join(directory, file), { force: true }))

  return {
    kept,
    replace,
    isLong: () => bytes > most,
    append: (lines) =>
      attempt(() => {
        const text = print(lines)
        appendFileSync(path, text, { mode: 0o600 })
        bytes += text.length
      }),
  }
}
