import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderConsole } from '../../test/render-console.tsx'
import { isMostlyRest, RankBars } from './rank-bars.tsx'

const bars = [
  { key: 'a', name: 'alice', value: 30 },
  { key: 'b', name: 'bob', value: 10 },
  { key: 'rest', name: 'Other, 1,995', value: 60, rest: true },
]

it('replaces a stack of which more than half has no name', () => {
  expect(isMostlyRest(bars)).toBe(true)
  expect(isMostlyRest(bars.slice(0, 2))).toBe(false)
  expect(isMostlyRest([{ value: 0 }, { value: 0, rest: true }])).toBe(false)
  expect(isMostlyRest([{ value: 50 }, { value: 50, rest: true }])).toBe(false)
})

it('says first how many have no bar, and draws the others in a scale of their own', async () => {
  await renderConsole(<RankBars label="Spend by user" bars={bars} total={100} format={(value) => `$${value}`} />, '/')
  const rows = within(screen.getByRole('list', { name: 'Spend by user' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual(['Other, 1,995$6060.0%', 'alice$3030.0%', 'bob$1010.0%'])
  const widths = rows.map((row) => Number(row.querySelector('rect')?.getAttribute('width')).toFixed(0))
  expect(widths).toEqual(['60', '100', '33'])
})
