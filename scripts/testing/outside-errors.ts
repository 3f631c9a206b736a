import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/**
 * A reporter of vitest that leaves the errors outside of all tests, as texts, in the file that `OUTSIDE_ERRORS` names: vitest's own
 * report in JSON does not have them.
 */
export default class OutsideErrors implements Reporter {
  onTestRunEnd(...[, errors]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    const file = process.env.OUTSIDE_ERRORS
    if (file === undefined || errors.length === 0) return
    const texts = errors.map(({ stack, message, VITEST_TEST_PATH: path }) =>
      [stack ?? message, ...(typeof path === 'string' ? [`while ${path} ran`] : [])].join('\n'),
    )
    writeFileSync(file, JSON.stringify(texts))
  }
}

/** The texts that the reporter left in this file. */
export const outsideErrorsIn = (file: string): readonly string[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : []
