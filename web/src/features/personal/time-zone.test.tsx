import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { RangeFilter } from '../../components/display/time/range-filter.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { storeUser } from '../../lib/api/session.ts'
import { preferencesStore } from '../../lib/preferences/preferences.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { TimeZone } from './time-zone.tsx'

beforeEach(() => {
  storeUser({ id: 5, username: 'eve', display_name: '', role: 1, status: 1, group: '' })
  preferencesStore.change({ time_zone: null })
})

const moment = Date.parse('2026-11-20T20:14:01Z') / 1000
const onChange = vi.fn()
const draw = () =>
  renderConsole(
    <>
      <TimeZone />
      <TimeText at={moment} />
      <RangeFilter value="3d" fallback="3d" onChange={onChange} />
    </>,
  )
const choose = async (typed: string, option: string): Promise<void> => {
  const field = await screen.findByRole('combobox', { name: '显示时间的时区' })
  await userEvent.clear(field)
  await userEvent.type(field, typed)
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

it('shows times and means ranges in the zone that was chosen, at once, and says which it is', async () => {
  await draw()
  expect(await screen.findByRole('combobox')).toHaveProperty(
    'value',
    `跟随浏览器（${new Intl.DateTimeFormat().resolvedOptions().timeZone}）`,
  )
  await choose('tok', 'Asia/Tokyo')
  expect(preferencesStore.get().all.time_zone).toBe('Asia/Tokyo')
  expect(screen.getByText(/11 月 21 日 05:14:01$/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /过去 3 天.*Asia\/Tokyo/ }))
  expect(await screen.findByText('时区：Asia/Tokyo')).toBeTruthy()
  await userEvent.clear(await screen.findByLabelText('开始'))
  await userEvent.type(screen.getByLabelText('开始'), '2026-11-21T05:14')
  await userEvent.clear(screen.getByLabelText('结束'))
  await userEvent.click(screen.getByRole('button', { name: '应用' }))
  expect(onChange).toHaveBeenLastCalledWith(`${moment - 1}..`)
})

it('offers UTC by its name, and goes back to the browser’s own zone', async () => {
  await draw()
  await choose('utc', 'UTC')
  expect(screen.getByText(/11 月 20 日 20:14:01$/)).toBeTruthy()
  await choose('浏览器', `跟随浏览器（${new Intl.DateTimeFormat().resolvedOptions().timeZone}）`)
  expect(preferencesStore.get().all.time_zone).toBeUndefined()
})

it('shows a zone by the name that was chosen, also where this browser lists it by another one', async () => {
  preferencesStore.change({ time_zone: 'Asia/Kathmandu' })
  await draw()
  expect(await screen.findByRole('combobox')).toHaveProperty('value', 'Asia/Kathmandu')
})

it('leaves out a zone that this browser does not know', async () => {
  preferencesStore.change({ time_zone: 'Moon/Crater' })
  await draw()
  expect(await screen.findByRole('combobox')).toHaveProperty('value', expect.stringContaining('跟随浏览器'))
})
