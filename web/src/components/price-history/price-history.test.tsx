import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { PricePoint } from '../../lib/api/contract.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { PriceHistory } from './price-history.tsx'

const day = (text: string): number => Date.parse(text) / 1000

const open = async (points: readonly PricePoint[]): Promise<HTMLElement> => {
  fakeFetch({ 'GET /api/pricing/history': () => points })
  await renderConsole(<PriceHistory model="gpt-x" />, '/pricing')
  return screen.findByRole('region', { name: '美元价格' })
}

const point = (from: number, input: string, output: string, more: Partial<PricePoint> = {}): PricePoint => ({
  from,
  version: `list of ${from}`,
  source: '',
  price: { rates: { input, output } },
  ...more,
})

it('draws each price for as long as it holds, from zero up, announced ones behind the line of today', async () => {
  const history = await open([
    point(0, '2', '8'),
    point(day('2020-01-01'), '1', '4'),
    point(day('2100-01-01'), '3', '16'),
  ])
  const chart = within(history).getByRole('img', { name: 'gpt-x 的价格变化' })
  const [input, output] = [...chart.querySelectorAll('path')].map((path) => path.getAttribute('d') ?? '')
  const heights = (path = ''): number[] => [...path.matchAll(/[ML]\S+ (\S+?)H/g)].map(([, y]) => Number(y))
  // 140 pixels above the ground (164) are $20, the round number above the dearest price: half of a price is half as high.
  expect(heights(output)).toEqual([108, 136, 52])
  expect(heights(input)).toEqual([150, 157, 143])
  const texts = [...chart.querySelectorAll('text')].map(({ textContent }) => textContent)
  expect(texts).toEqual(
    expect.arrayContaining([
      '$0',
      '$20',
      '2020 年 1 月 1 日: −50%',
      '2100 年 1 月 1 日: +200%',
      '输入 $3.00',
      '输出 $16.00',
    ]),
  )
  expect(chart.querySelector('[data-now]')).not.toBeNull()
})

it('says what holds today, what is announced and what was before', async () => {
  const history = await open([
    point(0, '2', '8'),
    point(day('2020-01-01'), '1', '4', { version: 'operator' }),
    point(day('2100-01-01'), '3', '16', { source: 'https://prices.test' }),
  ])
  const [next, past] = ['即将变更', '以往价格'].map((name) => within(history).getByText(name).nextElementSibling)
  expect(next?.textContent).toContain('$3.00')
  expect(within(history).getByRole('link').getAttribute('href')).toBe('https://prices.test')
  expect(past?.textContent).toContain('最初')
  expect(past?.textContent).toContain('$8.00')
  expect(within(history).getByText(/站点设置/).parentElement?.textContent).toContain('$1.00')
})

it('lists the hours at which a model costs otherwise, and draws nothing where nothing changes', async () => {
  const hours = { start: '01:00:00Z', end: '04:00:00Z', weekdays: true as const }
  const history = await open([point(0, '0.15', '0.6', { hours: [{ hours, rates: { input: '0.3', output: '1.2' } }] })])
  const heading = within(history).getByText('周一至周五 01:00–04:00 UTC')
  expect(heading.parentElement?.textContent).toContain('$1.20')
  expect(within(history).queryByRole('img')).toBeNull()
})
