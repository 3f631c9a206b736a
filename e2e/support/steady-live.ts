import type { Page } from 'playwright-core'

/** A channel in the answer of `/api/live`, as far as it is made steady. */
interface Troubled {
  readonly state: string
  readonly attempts: number
  readonly failed: number
  readonly avoided_models: readonly string[]
  /** Reasons for which it needs attention. */
  readonly reasons: readonly string[]
}

/** The answer of `/api/live`, as far as it is made steady. */
interface LivePicture {
  readonly now: object
  readonly minutes: readonly object[]
  readonly channels: { readonly needing_attention: number; readonly in_trouble: readonly Troubled[] }
}

/** A channel once routing no longer avoids its models: it still needs attention for another reason, or none any more. */
const afterTheBreak = (channel: Troubled): Troubled[] => {
  const reasons = channel.reasons.filter((reason) => reason !== 'cooling')
  return reasons.length === 0 ? [] : [{ ...channel, reasons, avoided_models: [] }]
}

/**
 * The present of a site whose calls are over for a minute. Figures of the last minute, and what routing avoids, depend on how long ago
 * they were made: a picture with them differs from run to run.
 */
const withoutTraffic = (picture: LivePicture): LivePicture => {
  const troubled = picture.channels.in_trouble.flatMap(afterTheBreak)
  return {
    ...picture,
    now: {
      calls_per_second: 0,
      failed_per_second: 0,
      calls: 0,
      failed: 0,
      quota: 0,
      first_p50_ms: null,
      first_p95_ms: null,
      running: 0,
    },
    minutes: picture.minutes.map((minute) => ({ ...minute, calls: 0, failed: 0, running: 0, waiting: 0, holds: 0 })),
    channels: {
      ...picture.channels,
      needing_attention: troubled.length,
      in_trouble: troubled,
    },
  }
}

/** Gives the page the steady picture in the place of each answer about the present. */
export const steadyLive = async (page: Page): Promise<void> => {
  await page.route('**/api/live', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: LivePicture }
    await route.fulfill({ response, json: { ...answer, data: withoutTraffic(answer.data) } })
  })
}
