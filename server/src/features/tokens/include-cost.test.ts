import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openTokenBench } from '../../../test/support/tokens/token-bench.ts'

describeEachEngine('a key whose answers say what they cost', (open) => {
  it('is made and changed by its owner, and a key does not unless asked', async () => {
    const bench = await openTokenBench(await open())
    const tells = async (key: string): Promise<unknown> => (await (await bench.openDirectory()).byKey(key))?.includeCost
    const plain = await bench.create()
    expect(plain.include_cost).toBe(false)
    expect(await tells(plain.key)).toBeUndefined()
    const made = await bench.create({ include_cost: true })
    expect(made.include_cost).toBe(true)
    expect(await bench.directory.byKey(made.key)).toMatchObject({ includeCost: true })
    expect(await tells(made.key)).toBe(true)
    await bench.data('PUT', '/api/token/', { id: made.id, name: 'renamed' })
    expect(await tells(made.key)).toBe(true)
    expect(await bench.data('PUT', '/api/token/', { id: made.id, include_cost: false })).toMatchObject({
      include_cost: false,
    })
    expect(await tells(made.key)).toBeUndefined()
  })
})
