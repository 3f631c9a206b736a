import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { moduleNames } from './lists.ts'
import { type ReducedProduct, withoutModules } from './without-modules.ts'

/** Types of four parts and a start, on a machine that does other things, too. */
const longestMs = 1_800_000

const opened: ReducedProduct[] = []
afterEach(() => {
  for (const product of opened.splice(0)) product.remove()
}, longestMs)

/** Its types are checked once. Each product without a module is checked where it differs. */
let whole: ReducedProduct | undefined
beforeAll(() => {
  whole = withoutModules([])
  expect(whole.typeErrors()).toBe('')
}, longestMs)
afterAll(() => whole?.remove(), longestMs)

const openWithout = (names: readonly string[]): ReducedProduct => {
  const product = withoutModules(names, whole)
  opened.push(product)
  return product
}

/** Tests of the kernel that start the gateway, charge calls and compare books. */
const kernelTests = [
  'src/relay',
  'src/billing',
  'src/journal',
  'src/ledger',
  'src/reports',
  'src/gateway',
  'src/dialects',
]

describe('the product', () => {
  it.each(moduleNames())('type-checks and starts without %s', { timeout: longestMs }, async (name) => {
    const product = openWithout([name])
    expect(product.typeErrors()).toBe('')
    expect(await product.startedStatus()).toMatchObject({ success: true })
  })

  it('passes the tests of the kernel without any module', { timeout: longestMs }, async () => {
    const product = openWithout(moduleNames())
    expect(product.typeErrors()).toBe('')
    expect(await product.startedStatus()).toMatchObject({ success: true })
    product.runTests(kernelTests)
  })
})
