import { expect, it } from 'vitest'
import { openDatabase } from '../db/engines/open.ts'
import { isContract, migrateTo } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { type SchemaShape, schemaChanges, shapeOf } from './schema-changes.ts'

it('leaves the version before what it reads and writes in each step that is no contract step', async () => {
  const database = await openDatabase({ engine: 'sqlite', url: ':memory:' })
  const steps = Object.keys(migrations).sort()
  const breaking: string[] = []
  let before: SchemaShape = new Map()
  for (const [index, name] of steps.entries()) {
    await migrateTo(database, steps.slice(0, index + 1))
    const after = await shapeOf(database)
    if (!isContract(name)) breaking.push(...schemaChanges(before, after).breaking.map((what) => `${name}: ${what}`))
    before = after
  }
  await database.close()
  expect(breaking).toEqual([])
})
