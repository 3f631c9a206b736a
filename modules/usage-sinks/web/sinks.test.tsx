import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ScreenParts } from '#web/components/parts/screen-parts.tsx'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'

it('says beside the live figures how far the sinks of usage are, and in full why one gets nothing', async () => {
  setLanguage('en')
  const webhook = { name: 'webhook', sent: 46, waiting: 1200, sent_time: 0, error: 'the webhook answered HTTP 500' }
  fakeFetch({ 'GET /api/usage_sinks': () => [webhook] })
  await renderConsole(<ScreenParts place="live side" />, '/live')
  const sinks = within(await screen.findByRole('region', { name: 'Usage export' }))
  for (const text of ['Webhook', '46 sent', '1,200 waiting', 'the webhook answered HTTP 500'])
    expect(sinks.getByText(text)).toBeTruthy()
})
