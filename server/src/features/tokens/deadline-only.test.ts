import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openTokenBench } from '../../../test/support/tokens/token-bench.ts'

describeEachEngine('a key for calls with a deadline', (open) => {
  it('is made and changed by its owner, and other keys are not', async () => {
    const bench = await openTokenBench(await open())
    const isHeld = async (key: string): Promise<unknown> =>
      (await (await bench.openDirectory()).byKey(key))?.deadlineOnly
    const plain = await bench.create()
    expect(plain.deadline_only).toBe(false)
    expect(await isHeld(plain.key)).toBeUndefined()
    const made = await bench.create({ deadline_only: true })
    expect(made.deadline_only).toBe(true)
    expect(await bench.directory.byKey(made.key)).toMatchObject({ deadlineOnly: true })
    await bench.data('PUT', '/api/token/', { id: made.id, name: 'renamed' })
    expect(await isHeld(made.key)).toBe(true)
    const changed = await bench.data('PUT', '/api/token/', { id: made.id, deadline_only: false })
    expect(changed).toMatchObject({ deadline_only: false })
    expect(await isHeld(made.key)).toBeUndefined()
  })
})
