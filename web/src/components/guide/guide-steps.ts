import { useEffect, useState } from 'react'
import { type Channel, calls, logType, type Token } from '../../lib/api/contract.ts'
import { useIsStaff } from '../../lib/api/staff.ts'
import { useEndpoint, useRefresh } from '../../lib/query.ts'
import { type UnpricedModel, useUnpriced } from '../unpriced/use-unpriced.ts'

/** An address may make 180 calls in as many seconds, and may be that of a whole office. */
const watchEveryMs = 5000
const failuresEveryMs = 10_000
/** Channels that were tested, the slowest first: one of them may have answered. */
const mostTested = 20

export type GuideStepId = 'balance' | 'channel' | 'check' | 'key' | 'call'

export interface GuideStep {
  readonly id: GuideStepId
  readonly done: boolean
}

export interface Guide {
  readonly steps: readonly GuideStep[]
  /** For operators: the newest channel. */
  readonly channel: Channel | undefined
  /** For operators: served models without a price. */
  readonly unpriced: readonly UnpricedModel[]
  /** For operators: true once anybody's call was charged. */
  readonly siteCalled: boolean
  /** The key that was used last, else any. */
  readonly token: Token | undefined
  /** The error of the newest failed call, while no call has succeeded yet. */
  readonly failure: string | undefined
  /** Units of quota. */
  readonly balance: number
}

interface Site {
  readonly channel: Channel | undefined
  readonly unpriced: readonly UnpricedModel[]
  readonly called: boolean
  readonly steps: readonly GuideStep[]
}

/** First steps of operators; undefined while they are loading. Makes no calls for others. */
const useSite = (isOperator: boolean): { site: Site | undefined; failed: boolean } => {
  const on = { enabled: isOperator }
  const newest = useEndpoint(calls.browseChannels, { query: { page_size: 1, sort: '-id' } }, on)
  const tested = useEndpoint(calls.browseChannels, { query: { page_size: mostTested, sort: '-response_time' } }, on)
  const used = useEndpoint(calls.browseChannels, { query: { page_size: 1, sort: '-used_quota' } }, on)
  const served = useUnpriced(isOperator ? undefined : [])
  if (!isOperator) return { site: { channel: undefined, unpriced: [], called: false, steps: [] }, failed: false }
  const failed = newest.error !== null || tested.error !== null || used.error !== null
  if (!newest.data || !tested.data || !used.data || !served) return { site: undefined, failed }
  const called = (used.data.items[0]?.used_quota ?? 0) > 0
  const works = tested.data.items.some(({ response_time: time, test_status: status }) => time > 0 && status === 0)
  const open = served.some(({ suggestions }) => suggestions.length > 0)
  return {
    site: {
      channel: newest.data.items[0],
      unpriced: served,
      called,
      steps: [
        { id: 'channel', done: newest.data.total > 0 },
        { id: 'check', done: called || (works && !open) },
      ],
    },
    failed,
  }
}

/**
 * How far a user is with the first steps, from what exists: a balance, keys, calls, for operators a tested channel with
 * prices. Operators are done with them once anybody calls. While the first call is due it is watched for, as long as the page can be seen. Undefined while it is not known,
 * null where it cannot be.
 */
export const useGuide = (): Guide | undefined | null => {
  const isOperator = useIsStaff('channels')
  const tokens = useEndpoint(calls.browseTokens, { query: { page_size: 1, sort: '-accessed_time' } })
  const token = tokens.data?.items[0]
  const account = useEndpoint(calls.getSelf)
  const self = account.data
  const { site, failed: siteFailed } = useSite(isOperator)
  const siteCalled = site?.called ?? false
  const waiting = token !== undefined && self?.request_count === 0 && site !== undefined && !siteCalled
  // The same request again, at an interval.
  useEndpoint(calls.getSelf, {}, { enabled: waiting, refreshEveryMs: watchEveryMs })
  const refresh = useRefresh()
  const [wasWaiting, setWasWaiting] = useState(false)
  if (waiting && !wasWaiting) setWasWaiting(true)
  const arrived = wasWaiting && !waiting
  // The server: the list of keys shows the call, too.
  useEffect(() => {
    if (arrived) void refresh(calls.browseTokens, calls.getTokensUsage)
  }, [arrived, refresh])
  const failed = useEndpoint(
    calls.listOwnLogs,
    { query: { type: logType.error, page_size: 1 } },
    { enabled: waiting, refreshEveryMs: failuresEveryMs },
  )
  if (!tokens.data || !self || !site) return tokens.error || account.error || siteFailed ? null : undefined
  const funded = self.quota > 0 || self.used_quota > 0
  const steps: readonly GuideStep[] = [
    // Operators start with a balance; others get one before anything else works.
    ...(isOperator && (funded || siteCalled) ? [] : [{ id: 'balance' as const, done: funded }]),
    ...site.steps,
    // Whoever calls has a key.
    { id: 'key', done: tokens.data.total > 0 || siteCalled },
    { id: 'call', done: self.request_count > 0 || siteCalled },
  ]
  return {
    steps,
    channel: site.channel,
    unpriced: site.unpriced,
    siteCalled,
    token,
    failure: waiting ? failed.data?.items[0]?.content : undefined,
    balance: self.quota,
  }
}
