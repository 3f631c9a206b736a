import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { logEvents } from './log-events.ts'

const root = join(import.meta.dirname, '../../..')
const files = globSync(['server/src/**/*.ts', 'modules/*/server/**/*.ts'], { cwd: root }).filter(
  (path) => !path.endsWith('.test.ts') && !path.endsWith('lib/log-events.ts'),
)
const texts = files.map((path) => readFileSync(join(root, path), 'utf8'))

/** Messages of log calls: `log('…')`, `parts.log.warn('…')`, `warn('…')`. */
const messages = texts.flatMap((text) =>
  [...text.matchAll(/\b(?:log|log\.(?:debug|info|warn|error)|warn)\(\s*['`]([^'`]+)['`]/g)].map(
    ([, message = '']) => message,
  ),
)

it('contains every message of the log', () => {
  const greeting = /^Tollgate listens on /
  const unnamed = messages.filter((message) => !Object.hasOwn(logEvents, message) && !greeting.test(message))
  expect(unnamed.filter((message) => !message.includes('${'))).toEqual([])
})

it('contains no event that is never logged', () => {
  const all = texts.join('\n')
  const composed = ['charges_not_written', 'logs_not_written']
  expect(Object.keys(logEvents).filter((event) => !all.includes(`'${event}'`) && !composed.includes(event))).toEqual([])
})
