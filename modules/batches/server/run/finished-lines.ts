import { type BatchForm, isSuccess, kindOfResult, type LineOutcome } from '../forms/batch-form.ts'
import type { InputLine, InputPlace } from '../input/input-lines.ts'
import type { Progress } from '../stored/batch-store.ts'
import type { LineResult } from '../stored/chunks.ts'
import { addedTokens, noTokens, tokensOf } from './answer-tokens.ts'

type Group = { -readonly [Name in keyof Progress]: Progress[Name] } & { results: LineResult[] }

const emptyGroup = (next: InputPlace): Group => ({
  results: [],
  succeeded: 0,
  failed: 0,
  skipped: 0,
  tokens: noTokens,
  next,
})

/** Collects the results of lines until they are written, and knows the first line that is not done. */
export const openFinishedLines = (form: BatchForm, from: InputPlace) => {
  /** Lines under way, in the order of their numbers. */
  const running = new Map<number, InputPlace>()
  let read = from
  let group = emptyGroup(from)
  let bytes = 0

  const count = (outcome: LineOutcome): void => {
    if (isSuccess(outcome)) group.succeeded += 1
    else if (outcome.kind === 'cancelled' || outcome.kind === 'expired') group.skipped += 1
    else group.failed += 1
  }

  return {
    /** Bytes of results that are not written. */
    get bytes() {
      return bytes
    },
    /** Marks a line as passed: it is done, or under way from now on. */
    passed(line: InputLine, isRunning: boolean): void {
      read = line.end
      if (isRunning) running.set(line.line, { line: line.line, offset: line.offset })
    },
    finish(line: number, result: { readonly id: string; readonly name: string; readonly outcome: LineOutcome }): void {
      const text = form.print(result)
      running.delete(line)
      count(result.outcome)
      group.tokens = addedTokens(group.tokens, tokensOf(result.outcome))
      group.results.push({ line, kind: kindOfResult(form, result.outcome), text })
      bytes += text.length
    },
    /** The results so far, in a group that is not collected again; undefined where there are none. */
    take(): Progress | undefined {
      if (group.results.length === 0) return undefined
      const [first] = running.values()
      const taken = { ...group, next: first ?? read }
      group = emptyGroup(read)
      bytes = 0
      return taken
    },
  }
}

export type FinishedLines = ReturnType<typeof openFinishedLines>
