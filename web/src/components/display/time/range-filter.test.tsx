import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderConsole } from '../../../test/render-console.tsx'
import { RangeFilter } from './range-filter.tsx'

it('offers ranges by name and an own one, and says in which time zone that is meant', async () => {
  const onChange = vi.fn()
  await renderConsole(<RangeFilter value={undefined} fallback="3d" onChange={onChange} />)
  const chip = screen.getByRole('button', { name: /过去 3 天/ })
  await userEvent.click(chip)
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(await screen.findByText(`时区：${zone}`)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '过去 7 天' }))
  expect(onChange).toHaveBeenLastCalledWith('7d')
  await userEvent.click(chip)
  const from = await screen.findByLabelText('开始')
  await userEvent.clear(from)
  await userEvent.type(from, '2026-11-20T08:00')
  await userEvent.click(screen.getByRole('button', { name: '应用' }))
  expect(onChange).toHaveBeenLastCalledWith(`${new Date('2026-11-20T08:00').getTime() / 1000}..`)
})
