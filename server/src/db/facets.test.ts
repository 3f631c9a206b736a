import { expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { testUser } from '../../test/support/db/rows.ts'
import { countListValues, countValues, inPart, type RowRange } from './facets.ts'

describeEachEngine('counts of values', (open) => {
  it('look at so many rows and say when there are more', async () => {
    const database = await open()
    const groups = ['b', 'a', 'b', 'b', '', 'c']
    for (const [index, group] of groups.entries())
      await database.query
        .insertInto('users')
        .values({ ...testUser(`user${index}`), aff_code: `a${index}`, group })
        .execute()
    const rows = database.query.selectFrom('users').select((eb) => eb.ref('group').as('value'))
    expect(await countValues(database, rows, 6)).toEqual({
      values: [
        { value: 'b', count: 3 },
        { value: 'a', count: 1 },
        { value: 'c', count: 1 },
      ],
      capped: false,
    })
    const few = await countValues(database, rows, 3)
    expect(few.capped).toBe(true)
    expect(few.values.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(4)
    const picked = async (part: RowRange): Promise<number[]> => {
      const fitting = database.query
        .selectFrom('users')
        .select('id')
        .where((eb) => eb.and(inPart('id', part)))
      return (await fitting.orderBy('id').execute()).map(({ id }) => id)
    }
    expect(await picked({ ids: [1, 2, 3], before: 3 })).toEqual([1, 2])
    expect(await picked({ ids: [] })).toEqual([])
  })
})

it('counts the values of comma-separated lists', () => {
  const values = [
    { value: 'vip,default', count: 2 },
    { value: 'vip,,vip', count: 1 },
  ]
  expect(countListValues({ values, capped: true })).toEqual({
    values: [
      { value: 'vip', count: 3 },
      { value: 'default', count: 2 },
    ],
    capped: true,
  })
})
