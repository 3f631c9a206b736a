import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aBegin, aJournalRecord } from '../../test/support/journal/records.ts'
import { noUsage } from '../billing/usage.ts'
import { AppError } from '../lib/app-error.ts'
import { type Disk, nodeDisk } from './disk.ts'
import { type Journal, type JournalParts, openJournal } from './journal.ts'
import type { JournalRecord } from './journal-record.ts'

let directory = ''
let opened: Journal[] = []

const open = async (more: Partial<JournalParts> = {}): Promise<Journal> => {
  const journal = await openJournal({ directory, ...more })
  opened.push(journal)
  return journal
}

const files = (): string[] => readdirSync(directory).sort()
const only = (): string => join(directory, files()[0] ?? 'none')

/** The record without its segment. */
const bare = ({ segment: _, ...record }: JournalRecord) => record

const leftRecords = async (journal: Journal): Promise<JournalRecord[]> => {
  const found: JournalRecord[] = []
  for await (const records of journal.replay().records()) found.push(...records)
  return found
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-'))
})

afterEach(async () => {
  for (const journal of opened) await journal.close()
  opened = []
  rmSync(directory, { recursive: true, force: true })
})

describe('a journal', () => {
  it('has the bytes in the file when end resolves', async () => {
    const journal = await open()
    await journal.end(aJournalRecord('one'))
    expect(readFileSync(only(), 'utf8')).toContain('"one"')
  })

  it('writes what one turn queued in one go', async () => {
    let writes = 0
    const journal = await open({
      disk: {
        ...nodeDisk,
        open(path) {
          const file = nodeDisk.open(path)
          const write: typeof file.write = (bytes, start) => {
            writes += 1
            return file.write(bytes, start)
          }
          return { ...file, write }
        },
      },
    })
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => journal.end(aJournalRecord(id))))
    expect(writes).toBe(1)
  })

  it('gives back ends that were not applied, exactly as they were written', async () => {
    const first = await open()
    const records = [
      aJournalRecord('one'),
      aJournalRecord('two', { quota: 0, receipt: undefined, content: 'é行😀\n"', username: 'Zoë 王' }),
      aJournalRecord('three'),
    ]
    for (const record of records) await first.end(record)
    first.applied(records.slice(2))
    await first.close()
    expect((await leftRecords(await open())).map(bare)).toEqual(records.slice(0, 2).map(bare))
  })

  it('are read from lines of earlier versions, which wrote the receipt beside what the log says', async () => {
    const record = aJournalRecord('one')
    const { receipt, ...other } = JSON.parse(record.other)
    const line = `${JSON.stringify({ end: { ...record, other, receipt } })}\n`
    writeFileSync(join(directory, '0000000001.journal'), line)
    expect((await leftRecords(await open())).map(bare)).toEqual([bare(record)])
  })

  it('gives back begins without end, with their price and last progress', async () => {
    const first = await open()
    first.begin(aBegin('running'))
    first.progress('running', { ...noUsage, output: 3 })
    first.progress('running', { ...noUsage, output: 7 })
    first.begin(aBegin('silent'))
    first.begin(aBegin('finished'))
    await first.end(aJournalRecord('finished'))
    await first.close()
    const left = (await open()).replay().open.map(({ interrupted }) => interrupted)
    expect(left).toEqual([
      { begin: aBegin('running'), usage: { ...noUsage, output: 7 } },
      { begin: aBegin('silent'), usage: undefined },
    ])
  })

  it('gives an end only once although it was written twice', async () => {
    const first = await open()
    await first.end(aJournalRecord('one'))
    await first.end(aJournalRecord('one'))
    await first.close()
    expect(await leftRecords(await open())).toHaveLength(1)
  })

  it('leaves no file behind when everything was applied', async () => {
    const journal = await open()
    journal.begin(aBegin('one'))
    const one = aJournalRecord('one')
    await journal.end(one)
    journal.applied([one])
    await journal.close()
    expect(files()).toEqual([])
  })

  it('refuses to take an end after it was closed', async () => {
    const journal = await open()
    await journal.close()
    await expect(journal.end(aJournalRecord('late'))).rejects.toMatchObject({ code: 'recording_failed' })
  })
})

describe('segments', () => {
  it('begin anew at the size limit and go when their ends are applied', async () => {
    const journal = await open({ segmentBytes: 1000 })
    const records = Array.from({ length: 20 }, (_, index) => aJournalRecord(`r${index}`))
    for (const record of records) await journal.end(record)
    expect(files().length).toBeGreaterThan(5)
    journal.applied(records)
    await journal.end(aJournalRecord('last'))
    expect(files().length).toBeLessThanOrEqual(2)
  })

  it('begin anew at the age limit when something is in them', async () => {
    let now = 0
    const journal = await open({ now: () => now })
    await journal.end(aJournalRecord('one'))
    now = 31_000
    await journal.end(aJournalRecord('two'))
    expect(files()).toHaveLength(2)
  })

  it('stay while an end in them is not applied', async () => {
    const journal = await open({ segmentBytes: 500 })
    const records = ['a', 'b', 'c', 'd'].map((id) => aJournalRecord(id))
    for (const record of records) await journal.end(record)
    journal.applied(records.slice(1))
    await journal.end(aJournalRecord('e'))
    await journal.close()
    expect((await leftRecords(await open())).map(({ id }) => id)).toEqual(['a', 'e'])
  })

  it('go although a long request began in them, which is not forgotten', async () => {
    const journal = await open({ segmentBytes: 500 })
    journal.begin(aBegin('long'))
    journal.progress('long', { ...noUsage, output: 11 })
    for (let index = 0; index < 30; index += 1) {
      const record = aJournalRecord(`r${index}`)
      await journal.end(record)
      journal.applied([record])
    }
    await journal.end(aJournalRecord('last'))
    expect(files().length).toBeLessThanOrEqual(3)
    await journal.close()
    const left = (await open()).replay().open
    expect(left.map(({ interrupted }) => interrupted)).toEqual([
      { begin: aBegin('long'), usage: { ...noUsage, output: 11 } },
    ])
  })

  it('are left alone once the journal is closed', async () => {
    const journal = await open({ segmentBytes: 500 })
    journal.begin(aBegin('long'))
    const records = Array.from({ length: 5 }, (_, index) => aJournalRecord(`r${index}`))
    for (const record of records) await journal.end(record)
    journal.applied(records)
    await journal.close()
    const left = files()
    for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(files()).toEqual(left)
  })

  it('never forget the end of a request whose begin they still know', async () => {
    const first = await open({ segmentBytes: 300 })
    await first.end(aJournalRecord('stuck'))
    first.begin(aBegin('one'))
    const [filler, one] = [aJournalRecord('filler'), aJournalRecord('one')]
    await first.end(filler)
    await first.end(one)
    first.applied([one, filler])
    await first.close()
    const second = await open()
    expect(second.replay().open).toEqual([])
    expect((await leftRecords(second)).map(({ id }) => id)).toEqual(['stuck'])
  })
})

describe('after a crash', () => {
  it('reads every file that was cut anywhere in its last lines', async () => {
    const first = await open()
    const ids = ['a', 'b', 'c']
    for (const id of ids) await first.end(aJournalRecord(id))
    await first.close()
    const path = only()
    const whole = readFileSync(path)
    const ends = [...whole.keys()].filter((index) => whole[index] === 10)
    for (let size = (ends[0] ?? 0) + 1; size <= whole.length; size += 1) {
      for (const name of files()) rmSync(join(directory, name))
      const complete = ends.filter((end) => end < size).length
      writeFileSync(path, whole.subarray(0, size))
      const warnings: unknown[] = []
      const journal = await open({ warn: (text, details) => warnings.push({ text, ...details }) })
      expect((await leftRecords(journal)).map(({ id }) => id)).toEqual(ids.slice(0, complete))
      const bytes = size - 1 - (ends[complete - 1] ?? -1)
      expect(warnings).toEqual(bytes === 0 ? [] : [{ text: 'journal_record_torn', file: path, bytes }])
      await journal.close()
    }
  })

  it('names a file with an unreadable line, replays the rest and puts the file aside', async () => {
    const first = await open()
    for (const id of ['a', 'b', 'c']) await first.end(aJournalRecord(id))
    await first.close()
    const path = only()
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, [lines[0], '{"end":', ...lines.slice(2)].join('\n'))
    const warnings: unknown[] = []
    const second = await open({ warn: (_, details) => warnings.push(details) })
    expect(warnings).toEqual([{ file: path, lines: [2] }])
    const left = await leftRecords(second)
    expect(left.map(({ id }) => id)).toEqual(['a', 'c'])
    second.applied(left)
    await second.close()
    expect(files()).toEqual([`${path.split('/').at(-1)}.damaged`])
  })
})

describe('while a sync is under way', () => {
  /** A disk whose syncs end one by one, when the test ends them. */
  const heldDisk = () => {
    const written: string[] = []
    const syncs: (() => void)[] = []
    const disk: Disk = {
      ...nodeDisk,
      open(path) {
        const file = nodeDisk.open(path)
        const write: typeof file.write = (bytes, start) => {
          written.push(bytes.toString('utf8', start))
          return file.write(bytes, start)
        }
        const sync: typeof file.sync = () => new Promise((resolve) => syncs.push(resolve))
        return { ...file, write, sync }
      },
    }
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await turn()
    }
    return { disk, written, syncs, turn, until }
  }

  it('what comes waits for the next one, which writes and syncs all of it together', async () => {
    const { disk, written, syncs, turn, until } = heldDisk()
    const journal = await open({ disk, sync: 'always' })
    const ended: string[] = []
    const end = (id: string) => journal.end(aJournalRecord(id)).then(() => ended.push(id))
    const first = end('first')
    await until(() => syncs.length === 1)
    const others: Promise<number>[] = []
    for (const id of ['a', 'b', 'c']) {
      others.push(end(id))
      for (let turns = 0; turns < 3; turns += 1) await turn()
    }
    expect(written).toHaveLength(1)
    expect(syncs).toHaveLength(1)
    syncs[0]?.()
    await first
    await until(() => syncs.length === 2)
    expect(ended).toEqual(['first'])
    expect(written).toHaveLength(2)
    expect(written[1]?.trim().split('\n')).toHaveLength(3)
    syncs[1]?.()
    await Promise.all(others)
    expect(ended).toEqual(['first', 'a', 'b', 'c'])
    expect(syncs).toHaveLength(2)
  })

  it('ends of calls that have begun are written at once: their clients have the beginning of the answer', async () => {
    const { disk, written, syncs, until } = heldDisk()
    const journal = await open({ disk, sync: 'always' })
    journal.begin(aBegin('stream'))
    const first = journal.end(aJournalRecord('first'))
    await until(() => syncs.length === 1)
    const waiting = journal.end(aJournalRecord('waiting'))
    const stream = journal.end(aJournalRecord('stream'))
    await until(() => written.length === 2)
    expect(written[1]?.trim().split('\n')).toHaveLength(2)
    expect(syncs).toHaveLength(1)
    syncs[0]?.()
    await until(() => syncs.length === 2)
    syncs[1]?.()
    await Promise.all([first, waiting, stream])
  })
})

describe('a sync that fails', () => {
  const failOnce = (): Disk => {
    let failures = 1
    return {
      ...nodeDisk,
      open(path) {
        const file = nodeDisk.open(path)
        const sync: typeof file.sync = async () => {
          failures -= 1
          if (failures >= 0) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
          await file.sync()
        }
        return { ...file, sync }
      },
    }
  }

  it.each([['group'], ['always']] as const)(
    'refuses the calls that wait for it and goes on in a new segment (%s)',
    async (sync) => {
      const journal = await open({ disk: failOnce(), sync, retryMs: 5 })
      const ends = ['one', 'two'].map((id) => journal.end(aJournalRecord(id)).catch((error: unknown) => error))
      for (const failure of await Promise.all(ends)) expect(failure).toMatchObject({ code: 'recording_failed' })
      expect(journal.healthy).toBe(false)
      await expect.poll(() => journal.healthy).toBe(true)
      await journal.end(aJournalRecord('three'))
      await journal.close()
      const again = await open()
      expect((await leftRecords(again)).map(({ id }) => id)).toEqual(['three'])
      expect(files()).toHaveLength(1)
    },
  )
})

describe('a full disk', () => {
  const brokenDisk = () => {
    const state = { full: false }
    const disk: Disk = {
      ...nodeDisk,
      open(path) {
        const file = nodeDisk.open(path)
        const write: typeof file.write = (bytes, start) => {
          if (state.full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
          return file.write(bytes, start)
        }
        return { ...file, write }
      },
    }
    return { state, disk }
  }

  it('fails the end clearly, shows it, and is noticed when it is over', async () => {
    const { state, disk } = brokenDisk()
    const journal = await open({ disk, retryMs: 5 })
    state.full = true
    const failure = await journal.end(aJournalRecord('lost')).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(AppError)
    expect(failure).toMatchObject({ code: 'recording_failed' })
    expect(journal.healthy).toBe(false)
    state.full = false
    await expect.poll(() => journal.healthy).toBe(true)
    await journal.end(aJournalRecord('kept'))
  })

  it.each([
    ['before', ['begin', 'full']],
    ['after', ['full', 'begin']],
  ])('gives up a request whose end it refused, which began %s, for ever', async (_, order) => {
    const { state, disk } = brokenDisk()
    const journal = await open({ disk, retryMs: 5 })
    for (const step of order) {
      if (step === 'full') state.full = true
      else {
        journal.begin(aBegin('free'))
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await journal.end(aJournalRecord('free')).catch(() => undefined)
    state.full = false
    await expect.poll(() => journal.healthy).toBe(true)
    await journal.close()
    const again = await open()
    expect(again.replay().open).toEqual([])
    expect(await leftRecords(again)).toEqual([])
  })

  it('keeps begins for later', async () => {
    const { state, disk } = brokenDisk()
    const journal = await open({ disk, retryMs: 5 })
    state.full = true
    journal.begin(aBegin('patient'))
    await journal.end(aJournalRecord('lost')).catch(() => undefined)
    state.full = false
    await expect.poll(() => journal.healthy).toBe(true)
    await journal.close()
    const left = (await open()).replay().open
    expect(left.map(({ interrupted }) => interrupted.begin.id)).toEqual(['patient'])
  })
})
