import { every } from '#server/jobs/every.ts'
import { type Batch, type BatchForm, type BatchLine, isFault, type LineOutcome } from '../forms/batch-form.ts'
import { type InputPlace, inputLines } from '../input/input-lines.ts'
import type { Progress } from '../stored/batch-store.ts'
import { openFinishedLines } from './finished-lines.ts'
import type { RunMode, RunState } from './run-mode.ts'
import { openSlots } from './slots.ts'

export interface RunLinesParts {
  readonly form: BatchForm
  readonly batch: Batch
  readonly mode: RunMode
  /** Bytes of the input from a place. */
  readonly input: (from: InputPlace) => AsyncIterable<Uint8Array>
  /** Bytes of the longest line. */
  readonly longestLine: number
  /** Lines that have results, from the first that is not done. */
  readonly done: ReadonlySet<number>
  /** Lines at once. */
  readonly atOnce: () => number
  /** Makes the call of a line; undefined where it is left to another runner. */
  readonly make: (line: number, call: BatchLine) => Promise<LineOutcome | undefined>
  /** Writes a group of results. */
  readonly write: (group: Progress) => Promise<void>
  readonly idOf: (line: number) => string
}

/** Milliseconds between groups of results that are written. */
const groupMs = 1_000
/** Characters of results that are in memory before more lines begin. */
const longestGroup = 8 * 1024 * 1024

/**
 * Makes the lines of a batch that are not done, some at once, and writes their results in groups. Lines that are not begun when the batch
 * is cancelled or expires get that result. Rejects with the first error of the input or of a line, after all that runs has ended.
 */
export const runLines = async (parts: RunLinesParts): Promise<void> => {
  const { form, batch, mode, done } = parts
  const from = { line: batch.next_line, offset: batch.next_offset }
  const finished = openFinishedLines(form, from)
  const slots = openSlots(parts.atOnce)
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  let writing: Promise<void> | undefined

  const fail = (error: unknown): void => {
    failure ??= { error }
    mode.set('left')
  }

  /** Groups are written one after the other. */
  const flush = async (): Promise<void> => {
    await writing
    const group = finished.take()
    if (group === undefined) return
    writing = parts.write(group).catch(fail)
    await writing
  }

  const finish = (line: number, name: string, outcome: LineOutcome): void =>
    finished.finish(line, { id: parts.idOf(line), name, outcome })

  const begin = (line: number, call: BatchLine): void => {
    const work = parts
      .make(line, call)
      .then((outcome) => {
        if (outcome !== undefined) finish(line, call.name, outcome)
      })
      .catch(fail)
      .finally(() => {
        running.delete(work)
        slots.free()
      })
    running.add(work)
  }

  /** Begins a line, or ends it without a call; its place is free again after that. */
  const take = (line: number, text: string, state: Exclude<RunState, 'left'>): void => {
    const call = form.read(text, batch)
    if (!isFault(call) && state === 'run') {
      begin(line, call)
      return
    }
    slots.free()
    if (state !== 'run') finish(line, isFault(call) ? '' : call.name, { kind: state })
    else if (isFault(call)) finish(line, '', { kind: 'failed', fault: call })
  }

  const readOn = async (): Promise<void> => {
    for await (const line of inputLines(parts.input(from), from, parts.longestLine)) {
      const { text } = line
      if (text === undefined || done.has(line.line)) {
        finished.passed(line, false)
        continue
      }
      if (finished.bytes > longestGroup) await flush()
      await slots.take()
      const { current } = mode
      if (current === 'left') return
      finished.passed(line, true)
      take(line.line, text, current)
    }
  }

  const stopFlushing = every(groupMs, flush, fail)
  await readOn().catch(fail)
  await Promise.all(running)
  stopFlushing()
  await flush()
  if (failure !== undefined) throw failure.error
}
