import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const drawn = (seed?: string): string => {
  const setup = JSON.stringify(join(import.meta.dirname, 'random-cases.ts'))
  const code = `await import(${setup}); const { default: fc } = await import('fast-check')
    const drawn = []; fc.assert(fc.property(fc.nat(), (n) => void drawn.push(n))); console.log(drawn.join())`
  const { TEST_SEED: _, ...env } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { ...env, ...(seed === undefined ? {} : { TEST_SEED: seed }) },
  })
  return stdout.trim() === '' ? stderr : stdout
}

it('draws the same cases in each run, others for another seed, and new ones where that is asked for', () => {
  const steady = drawn()
  expect(steady).toMatch(/^\d+(,\d+){99}\n$/)
  expect(drawn()).toBe(steady)
  expect(drawn('7')).not.toBe(steady)
  expect(drawn('7')).toBe(drawn('7'))
  expect(drawn('random')).not.toBe(drawn('random'))
  expect(drawn('tomorrow')).toContain('TEST_SEED is "random" or an integer.')
})
