import type { LivePicture } from '@tollgate/contract'
import type { Page } from 'playwright-core'

type Troubled = LivePicture['channels']['in_trouble'][number]

/** A channel once routing no longer avoids its models: it still fails often, or is in no trouble any more. */
const afterTheBreak = (channel: Troubled): Troubled[] => {
  const { state, attempts, failed } = channel
  const steady = { ...channel, avoided_models: [], first_ms: 420 }
  if (state !== 'avoided') return [steady]
  return attempts >= 10 && failed > attempts * 0.1 ? [{ ...steady, state: 'failing' }] : []
}

/**
 * The present of a site with the same traffic in every run. Figures of the last minute, and what routing avoids, depend on how long
 * ago the calls of the site were: a picture with them differs from run to run.
 */
const withSteadyTraffic = (picture: LivePicture): LivePicture => ({
  ...picture,
  now: {
    calls_per_second: 0.8,
    failed_per_second: 0,
    calls: 48,
    failed: 1,
    quota: 250_000,
    first_p50_ms: 420,
    first_p95_ms: 1900,
    running: 3,
  },
  usual: { first_p50_ms: 390, first_p95_ms: 1800 },
  minutes: picture.minutes.map((minute) => ({ ...minute, calls: 48, failed: 1, running: 3 })),
  channels: {
    ...picture.channels,
    in_trouble: picture.channels.in_trouble.flatMap(afterTheBreak),
  },
})

/** Gives the page the steady picture in the place of each answer about the present. */
export const steadyLive = async (page: Page): Promise<void> => {
  await page.route('**/api/live', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: LivePicture }
    await route.fulfill({ response, json: { ...answer, data: withSteadyTraffic(answer.data) } })
  })
}
