import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { AboutScreen } from './screen.tsx'

beforeEach(() => setLanguage('zh'))

it('describes the product when the operator has set no text', async () => {
  fakeFetch({ 'GET /api/about': () => '' })
  await renderConsole(<AboutScreen />)
  expect(await screen.findByText('系统信息')).toBeTruthy()
  expect(screen.getAllByText('未启用')).toHaveLength(7)
})
