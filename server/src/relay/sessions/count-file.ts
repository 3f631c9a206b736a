import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../lib/reason-of.ts'

/** Lines of counts on the disk of a node, which a restart reads. Of two lines about one key the later counts. */
export interface CountFile {
  /** Lines of earlier runs, oldest first; read once, at the start. */
  readonly kept: readonly string[]
  /** Written when it returns, safe against a crash of the process. An error is logged and loses the lines. */
  append(lines: readonly string[]): void
  /** True when the file is worth compacting. */
  isLong(): boolean
  /** Replaces the content. */
  replace(lines: readonly string[]): void
}

export interface CountFileParts {
  /** Exists, and belongs to this node. */
  readonly directory: string
  /** Number from 1; each has a file, and the first takes over the files of removed workers. */
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

/** Opens the file of a worker. Throws errors of the file system. */
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
