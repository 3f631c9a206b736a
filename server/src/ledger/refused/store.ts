import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JournalRecord } from '../../journal/journal-record.ts'
import { endLine, parseLine } from '../../journal/lines.ts'

/** A finished request that the database refused; it is stored until an operator handles it. */
export interface RefusedRequest {
  readonly record: JournalRecord
  /** Milliseconds since 1970. */
  readonly refusedAt: number
  /** Step at which the database refused it. */
  readonly step: 'charge' | 'log'
  /** True if the ledger has the charge; true of failures, which cost nothing. */
  readonly isCharged: boolean
  /** Message of the database, shortened. */
  readonly reason: string
  /** How often it has been tried again since. */
  readonly retries: number
}

/** Refused records of this node, one file for each. */
export interface RefusedStore {
  /** Resolves when it is on the disk. The first version of a stored record stays; only the rest is replaced. */
  keep(refused: RefusedRequest): Promise<void>
  find(requestId: string): Promise<RefusedRequest | undefined>
  /** Ids of all of them, the oldest first. */
  ids(): Promise<readonly string[]>
  remove(requestId: string): Promise<void>
}

/** Beside the journal, in the data directory. */
export const refusedDirectory = 'refused-records'

const suffix = '.json'

/** Ids are letters and digits; any other id is refused, so that it cannot name a file elsewhere. */
const fileOf = (requestId: string): string =>
  /^[\w-]{1,100}$/.test(requestId)
    ? `${requestId}${suffix}`
    : `sha256-${createHash('sha256').update(requestId).digest('hex')}${suffix}`

const print = ({ record, ...rest }: RefusedRequest): string => `${JSON.stringify(rest)}\n${endLine(record)}`

const read = (text: string): RefusedRequest | undefined => {
  const [head = '', line = ''] = text.split('\n')
  const parsed = parseLine(line)
  if (parsed?.kind !== 'end') return undefined
  const rest = JSON.parse(head) as Omit<RefusedRequest, 'record'>
  return { ...rest, record: parsed.record }
}

const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Opens the store in `directory`, which is made where it is missing. */
export const openRefusedStore = (directory: string): RefusedStore => {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const pathOf = (requestId: string): string => join(directory, fileOf(requestId))

  const find = async (requestId: string): Promise<RefusedRequest | undefined> => {
    try {
      return read(await readFile(pathOf(requestId), 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  return {
    find,
    async keep(refused) {
      const existing = await find(refused.record.id)
      const path = pathOf(refused.record.id)
      const whole = { ...refused, record: existing?.record ?? refused.record }
      const handle = await open(`${path}.new`, 'w', 0o600)
      try {
        await handle.writeFile(print(whole))
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(`${path}.new`, path)
      await syncDirectory(directory)
    },
    async ids() {
      const names = (await readdir(directory)).filter((name) => name.endsWith(suffix))
      // Request ids begin with their time.
      return names.map((name) => name.slice(0, -suffix.length)).sort()
    },
    async remove(requestId) {
      await rm(pathOf(requestId), { force: true })
      await syncDirectory(directory)
    },
  }
}
