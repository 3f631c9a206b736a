import { expect, it } from 'vitest'
import { fittedLayout, ownLayout } from './layout.ts'

const columns = [{ id: 'name' }, { id: 'cost' }, { id: 'model', hidden: true }]
const stored = { order: ['name', 'cost'], hidden: [], widths: {}, pins: {}, density: 'compact' }

it('puts columns of a newer console at the end, hidden where they are hidden by default', () => {
  expect(fittedLayout(stored, columns)).toMatchObject({ order: ['name', 'cost', 'model'], hidden: ['model'] })
})

it('drops columns that are gone and keeps the first one first', () => {
  const old = { ...stored, order: ['gone', 'cost', 'name'], hidden: ['gone', 'cost'] }
  expect(fittedLayout(old, columns)).toMatchObject({ order: ['name', 'cost', 'model'], hidden: ['cost', 'model'] })
})

it('shows a column again that is hidden by default and was chosen', () => {
  const chosen = { ...stored, order: ['name', 'model', 'cost'], hidden: [] }
  expect(fittedLayout(chosen, columns)).toMatchObject({ order: ['name', 'model', 'cost'], hidden: [] })
})

it.each([undefined, null, 'text', {}, { order: [1], hidden: [] }])('takes %j for nothing chosen', (stored) => {
  expect(fittedLayout(stored, columns)).toEqual(ownLayout(columns))
})

it('leaves out widths and pins that are none', () => {
  const broken = { ...stored, widths: { cost: 'wide', name: 90 }, pins: { cost: 'top', name: 'right' }, density: 3 }
  expect(fittedLayout(broken, columns)).toMatchObject({
    widths: { name: 90 },
    pins: { name: 'right' },
    density: 'comfortable',
  })
})
